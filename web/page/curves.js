// Small curves over the last samples.
const LENGTH = 240;

export class Curves {
    // `lines`: a name of a color of the style sheet for each.
    constructor(canvas, lines, fromZero) {
        this.canvas = canvas;
        this.lines = lines;
        this.fromZero = fromZero;
        this.samples = [];
    }

    clear() { this.samples = []; }

    add(...values) {
        this.samples.push(values.map(value => Number.isFinite(value) ? value : null));
        if (this.samples.length > LENGTH) this.samples.shift();
    }

    range() {
        const all = this.samples.flat().filter(value => value !== null);
        let low = Math.min(...all), high = Math.max(...all);
        if (this.fromZero) low = Math.min(0, low);
        if (!(high > low)) high = low + 1;
        return [low, high];
    }

    draw() {
        const canvas = this.canvas, scale = Math.min(devicePixelRatio, 2);
        const width = canvas.clientWidth * scale, height = canvas.clientHeight * scale;
        if (!width || this.samples.length < 2) return;
        if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
        const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
        const [low, high] = this.range();
        pen.clearRect(0, 0, width, height);
        pen.strokeStyle = style.getPropertyValue("--line");
        pen.strokeRect(0.5, 0.5, width - 1, height - 1);
        pen.lineWidth = 1.5 * scale;
        this.lines.forEach((name, k) => {
            pen.strokeStyle = style.getPropertyValue(name);
            pen.beginPath();
            this.samples.forEach((values, i) => {
                if (values[k] === null) return;
                pen.lineTo(i / (LENGTH - 1) * width, height - 3 - (values[k] - low) / (high - low) * (height - 6));
            });
            pen.stroke();
        });
    }
}
