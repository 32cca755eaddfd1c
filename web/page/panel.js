// The sliders, one for each parameter that the simulation has.
export class Panel {
    constructor(home, changed) {
        this.home = home;
        this.changed = changed;
        this.rows = [];
    }

    setParameters(list) {
        this.home.replaceChildren();
        this.rows = list.map((parameter, index) => this.addRow(parameter, index));
    }

    addRow(parameter, index) {
        const row = document.createElement("label"), name = document.createElement("span");
        const output = document.createElement("output"), input = document.createElement("input");
        row.className = "slider";
        row.title = `${parameter.help}; double click: as the scene has it`;
        name.textContent = parameter.name;
        input.type = "range";
        input.id = `slider-${parameter.name}`;
        [input.min, input.max, input.step] = parameter.by_factors ? [0, 1, 0.001] : [parameter.low, parameter.high, parameter.step];
        row.append(name, output, input);
        this.home.append(row);
        const made = { parameter, row, output, input, touched: 0 };
        input.addEventListener("input", () => this.tell(index, this.valueOf(made)));
        row.addEventListener("dblclick", () => this.tell(index, parameter.start));
        this.show(made, parameter.value);
        return made;
    }

    // A slider by factors goes as the logarithm.
    valueOf({ parameter: { low, high, by_factors }, input }) {
        const place = Number(input.value);
        if (!by_factors) return place;
        const value = low * (high / low) ** place;
        return Math.abs(Math.log(value)) < 0.03 ? 1 : value;
    }

    show(row, value) {
        const { low, high, start, unit, by_factors, name } = row.parameter;
        row.value = value;
        row.input.value = by_factors ? Math.log(value / low) / Math.log(high / low) : value;
        const digits = Math.abs(value) >= 10 ? 1 : Math.abs(value) < 0.1 && value !== 0 ? 4 : 2;
        row.output.textContent = name === "substeps" ? (value ? String(value) : "by need")
            : unit === "x" ? `\u00d7 ${Number(value.toFixed(digits))}`
            : `${Number(value.toFixed(digits))} ${unit.replace("^2", "\u00b2")}`;
        row.row.classList.toggle("changed", Math.abs(value - start) > 1e-6);
    }

    tell(index, value) {
        const row = this.rows[index], { low, high } = row.parameter;
        row.touched = performance.now();
        this.show(row, Math.min(Math.max(value, low), high));
        this.changed(index, row.value);
    }

    multiply(name, factor) {
        const index = this.rows.findIndex(row => row.parameter.name === name);
        if (index >= 0) this.tell(index, this.rows[index].value * factor);
    }

    // What the simulation has, but for what a hand is at.
    follow(values) {
        this.rows.forEach((row, i) => {
            if (performance.now() - row.touched > 600 && Math.abs(values[i] - row.value) > 1e-7) this.show(row, values[i]);
        });
    }
}
