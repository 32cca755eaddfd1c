// The bodies and obstacles in three dimensions. Topology and frames are as src/live/look.h has them.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const HEAD = 7, FRAME_HEAD = 16;
const dark = { back: 0x14171c, ground: 0x262c35, line: 0x39424f, obstacle: 0x8b95a5 };
const light = { back: 0xeef1f5, ground: 0xe2e7ee, line: 0xc3ccd8, obstacle: 0x9aa5b5 };

// Dark blue to yellow in even steps.
const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
export const colormap = new Uint8Array(3 * 256);
for (let i = 0; i < 256; ++i) {
    const place = i / 255 * (stops.length - 1), k = Math.min(Math.floor(place), stops.length - 2);
    for (let c = 0; c < 3; ++c)
        colormap[3 * i + c] = Math.round(stops[k][c] + (place - k) * (stops[k + 1][c] - stops[k][c]));
}

export function hasWebGL() {
    try {
        return document.createElement("canvas").getContext("webgl2") !== null;
    } catch {
        return false;
    }
}

// Drawn by the processor: slowly.
function isSoftware(gl) {
    const facts = gl.getExtension("WEBGL_debug_renderer_info");
    return facts !== null && /SwiftShader|llvmpipe|Software|Basic Render/i.test(gl.getParameter(facts.UNMASKED_RENDERER_WEBGL));
}

function readTopology(buffer) {
    const [, points, triangles, normals, edges, balls, colliders] = new Uint32Array(buffer, 0, HEAD);
    let at = 4 * HEAD;
    const take = (type, count) => {
        const part = new type(buffer, at, count);
        at += 4 * count;
        return part;
    };
    const made = { points, triangles, normals, edges, balls, colliders };
    made.corner = take(Uint32Array, 6 * triangles);
    made.pointOf = take(Uint32Array, normals);
    made.edge = take(Uint32Array, 3 * edges);
    made.edgeRadius = new Float32Array(buffer, made.edge.byteOffset, 3 * edges);
    made.ball = take(Uint32Array, balls);
    made.body = take(Uint32Array, points);
    made.color = take(Uint32Array, points);
    return made;
}

function readFrame(buffer, t) {
    const whole = new Uint32Array(buffer, 0, FRAME_HEAD), real = new Float32Array(buffer, 0, FRAME_HEAD);
    let at = 4 * FRAME_HEAD;
    const take = count => {
        const part = new Float32Array(buffer, at, count);
        at += 4 * count;
        return part;
    };
    return {
        number: whole[1], step: whole[2], time: real[3], colors: whole[5], low: real[6], high: real[7],
        grip: whole[8] ? { from: real.subarray(9, 12), to: real.subarray(12, 15), force: real[15] } : null,
        position: take(3 * t.points), collider: take(7 * t.colliders), radius: take(t.balls),
        value: whole[5] ? new Uint8Array(buffer, at, t.points) : null,
    };
}

export class Picture {
    constructor(canvas) {
        this.canvas = canvas;
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
        this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
        this.scene = new THREE.Scene();
        this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.addEventListener("change", () => { this.stale = true; });
        this.bodies = new THREE.Group();
        this.obstacles = new THREE.Group();
        this.scene.add(this.bodies, this.obstacles);
        this.addLights();
        this.addGrip();
        this.quality = isSoftware(this.renderer.getContext()) ? 1 : 3;
        this.slow = 0;
        this.inset = 0; // [pixels] that a panel covers at the right
        this.ray = new THREE.Raycaster();
        this.setTheme(true);
        this.applyQuality();
    }

    // ---- what is always there

    addLights() {
        this.sky = new THREE.HemisphereLight(0xdfe8ff, 0x3a3530, 1.1);
        this.sun = new THREE.DirectionalLight(0xfff1de, 2.6);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.normalBias = 0.02;
        this.scene.add(this.sky, this.sun, this.sun.target);
    }

    addGrip() {
        this.spring = new THREE.Line(new THREE.BufferGeometry().setAttribute("position",
            new THREE.BufferAttribute(new Float32Array(6), 3)), new THREE.LineBasicMaterial({ color: 0xffb347, depthTest: false }));
        this.hand = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12),
                                   new THREE.MeshBasicMaterial({ color: 0xffb347, depthTest: false }));
        for (const part of [this.spring, this.hand]) {
            part.frustumCulled = false;
            part.renderOrder = 10;
            part.visible = false;
            this.scene.add(part);
        }
    }

    setTheme(isDark) {
        this.colors = isDark ? dark : light;
        this.scene.background = new THREE.Color(this.colors.back);
        this.scene.fog = new THREE.Fog(this.colors.back, 1, 2);
        this.sky.intensity = isDark ? 1.1 : 1.9;
        this.sky.groundColor.set(isDark ? 0x4a4540 : 0x8a857e);
        for (const mesh of this.obstacles.children) this.paintObstacle(mesh);
        this.placeFog();
        this.stale = true;
    }

    resize() {
        const width = this.canvas.clientWidth || 1, height = this.canvas.clientHeight || 1;
        this.stale = true;
        this.renderer.setPixelRatio([0.6, 1, 1, Math.min(devicePixelRatio, 2)][this.quality]);
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.free = Math.max(width - this.inset, 1) / height;
        this.camera.setViewOffset(width, height, this.inset / 2, 0, width, height);
        this.camera.updateProjectionMatrix();
    }

    // ---- bodies

    setTopology(buffer) {
        const t = this.topology = readTopology(buffer);
        for (const mesh of [...this.bodies.children]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
            this.bodies.remove(mesh);
        }
        this.surface = this.ropes = this.knots = this.balls = null;
        this.paintedBy = -1;
        this.fitted = false;
        if (t.triangles) this.addSurface(t);
        if (t.edges) this.addRopes(t);
        if (t.balls) this.addBalls(t);
    }

    addMesh(mesh) {
        mesh.frustumCulled = false;
        mesh.castShadow = mesh.receiveShadow = true;
        this.bodies.add(mesh);
        return mesh;
    }

    // A vertex for each normal: sharp edges have several at a point.
    addSurface(t) {
        const geometry = new THREE.BufferGeometry(), index = new Uint32Array(3 * t.triangles);
        for (let i = 0; i < t.triangles; ++i)
            for (let k = 0; k < 3; ++k) index[3 * i + k] = t.corner[6 * i + 3 + k];
        const add = (name, array, size, normalized = false) => {
            const attribute = new THREE.BufferAttribute(array, size, normalized);
            attribute.setUsage(THREE.DynamicDrawUsage);
            geometry.setAttribute(name, attribute);
        };
        geometry.setIndex(new THREE.BufferAttribute(index, 1));
        add("position", new Float32Array(3 * t.normals), 3);
        add("normal", new Float32Array(3 * t.normals), 3);
        add("color", new Uint8Array(4 * t.normals), 4, true);
        geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
        this.surface = this.addMesh(new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({
            vertexColors: true, roughness: 0.55, metalness: 0, side: THREE.DoubleSide, shadowSide: THREE.FrontSide })));
    }

    addInstances(geometry, count) {
        const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial({ roughness: 0.6 }), count);
        mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        mesh.setColorAt(0, new THREE.Color(1, 1, 1));
        mesh.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
        return this.addMesh(mesh);
    }

    addRopes(t) {
        this.ropes = this.addInstances(new THREE.CylinderGeometry(1, 1, 1, 10, 1, true), t.edges);
        this.knots = this.addInstances(new THREE.SphereGeometry(1, 10, 7), t.edges);
    }

    addBalls(t) {
        const many = t.balls > 20000, few = t.balls < 3000;
        this.balls = this.addInstances(new THREE.IcosahedronGeometry(1, few ? 4 : many ? 1 : 2), t.balls);
    }

    // ---- obstacles

    setColliders(list) {
        for (const mesh of [...this.obstacles.children]) {
            mesh.geometry.dispose();
            this.obstacles.remove(mesh);
        }
        for (const described of list) {
            const mesh = new THREE.Mesh(this.shapeOf(described), new THREE.MeshStandardMaterial({ roughness: 0.85 }));
            mesh.userData = described;
            mesh.receiveShadow = true;
            mesh.castShadow = described.shape !== "plane";
            if (described.shape === "triangles") mesh.material.side = THREE.DoubleSide;
            this.obstacles.add(mesh);
            this.paintObstacle(mesh);
        }
    }

    shapeOf(c) {
        const [x, y, z, radius, half] = c.sizes;
        if (c.shape === "plane") return new THREE.PlaneGeometry(400, 400).rotateX(-Math.PI / 2);
        if (c.shape === "box") return new THREE.BoxGeometry(2 * x, 2 * y, 2 * z);
        if (c.shape === "sphere") return new THREE.SphereGeometry(radius, 48, 32);
        if (c.shape === "capsule") return new THREE.CapsuleGeometry(radius, 2 * half, 16, 40);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(c.vertices), 3));
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(c.triangles), 1));
        const flat = geometry.toNonIndexed();
        flat.computeVertexNormals();
        return flat;
    }

    paintObstacle(mesh) {
        const c = mesh.userData, own = c.color && new THREE.Color().setRGB(...c.color, THREE.SRGBColorSpace);
        mesh.material.color = own || new THREE.Color(c.shape === "plane" ? this.colors.ground : this.colors.obstacle);
        if (c.shape === "plane" && !own) this.checker(mesh);
        mesh.material.needsUpdate = true;
    }

    // A plane of squares, a meter each, or what suits the scene.
    checker(mesh) {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 64;
        const pen = canvas.getContext("2d");
        const hex = value => `#${value.toString(16).padStart(6, "0")}`;
        pen.fillStyle = hex(this.colors.ground);
        pen.fillRect(0, 0, 64, 64);
        pen.strokeStyle = hex(this.colors.line);
        pen.lineWidth = 1.5;
        pen.strokeRect(0, 0, 64, 64);
        mesh.material.map?.dispose();
        const map = mesh.material.map = new THREE.CanvasTexture(canvas);
        map.wrapS = map.wrapT = THREE.RepeatWrapping;
        map.repeat.set(400 / this.square(), 400 / this.square());
        map.anisotropy = 8;
        map.colorSpace = THREE.SRGBColorSpace;
        mesh.material.color = new THREE.Color(0xffffff);
    }

    square() {
        const size = this.size || 4;
        return 10 ** Math.round(Math.log10(size / 6));
    }

    // ---- frames

    show(buffer) {
        if (!this.topology) return null;
        const f = this.frame = readFrame(buffer, this.topology);
        if (this.surface) this.moveSurface(f);
        if (this.ropes) this.moveRopes(f);
        if (this.balls) this.moveBalls(f);
        if (f.colors || this.paintedBy !== f.colors) this.paint(f);
        this.obstacles.children.forEach((mesh, i) => {
            const at = f.collider.subarray(7 * i, 7 * i + 7);
            mesh.position.set(at[0], at[1], at[2]);
            mesh.quaternion.set(at[3], at[4], at[5], at[6]);
        });
        this.moveGrip(f.grip);
        this.stale = true;
        if (!this.fitted) this.fit();
        return f;
    }

    moveSurface(f) {
        const t = this.topology, { position, normal } = this.surface.geometry.attributes;
        const x = position.array, n = normal.array, index = this.surface.geometry.index.array, p = f.position;
        for (let i = 0, k = 0; i < t.normals; ++i, k += 3) {
            const at = 3 * t.pointOf[i];
            x[k] = p[at];
            x[k + 1] = p[at + 1];
            x[k + 2] = p[at + 2];
        }
        n.fill(0);
        for (let i = 0; i < index.length; i += 3) {
            const a = 3 * index[i], b = 3 * index[i + 1], c = 3 * index[i + 2];
            const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
            const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
            const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
            n[a] += nx, n[a + 1] += ny, n[a + 2] += nz;
            n[b] += nx, n[b + 1] += ny, n[b + 2] += nz;
            n[c] += nx, n[c + 1] += ny, n[c + 2] += nz;
        }
        for (let i = 0; i < n.length; i += 3) {
            const length = Math.hypot(n[i], n[i + 1], n[i + 2]) || 1;
            n[i] /= length, n[i + 1] /= length, n[i + 2] /= length;
        }
        position.needsUpdate = normal.needsUpdate = true;
    }

    moveRopes(f) {
        const t = this.topology, p = f.position, up = new THREE.Vector3(0, 1, 0);
        const a = new THREE.Vector3(), b = new THREE.Vector3(), turn = new THREE.Quaternion();
        const matrix = new THREE.Matrix4(), size = new THREE.Vector3(), thin = 0.003 * (this.size || 1);
        for (let i = 0; i < t.edges; ++i) {
            const radius = Math.max(t.edgeRadius[3 * i + 2], thin);
            a.fromArray(p, 3 * t.edge[3 * i]);
            b.fromArray(p, 3 * t.edge[3 * i + 1]);
            this.knots.setMatrixAt(i, matrix.makeScale(radius, radius, radius).setPosition(a));
            size.set(radius, a.distanceTo(b), radius);
            const middle = a.clone().add(b).multiplyScalar(0.5);
            turn.setFromUnitVectors(up, b.sub(a).normalize());
            this.ropes.setMatrixAt(i, matrix.compose(middle, turn, size));
        }
        this.ropes.instanceMatrix.needsUpdate = this.knots.instanceMatrix.needsUpdate = true;
    }

    moveBalls(f) {
        const t = this.topology, p = f.position, m = this.balls.instanceMatrix.array;
        m.fill(0);
        for (let i = 0; i < t.balls; ++i) {
            const at = 3 * t.ball[i], radius = Math.max(f.radius[i], 0), k = 16 * i;
            m[k] = m[k + 5] = m[k + 10] = radius;
            m[k + 12] = p[at], m[k + 13] = p[at + 1], m[k + 14] = p[at + 2];
            m[k + 15] = 1;
        }
        this.balls.instanceMatrix.needsUpdate = true;
    }

    // Colors of points, as the screen has them, to those of light.
    paint(f) {
        const t = this.topology, color = new THREE.Color();
        this.paintedBy = f.colors;
        const linear = Picture.linear ??= Uint8Array.from({ length: 256 }, (_, i) => Math.round(255 * color.setRGB(i / 255, 0, 0, THREE.SRGBColorSpace).r));
        const rgb = point => {
            if (!f.value) return [t.color[point] >> 16 & 255, t.color[point] >> 8 & 255, t.color[point] & 255];
            return colormap.subarray(3 * f.value[point], 3 * f.value[point] + 3);
        };
        if (this.surface) {
            const attribute = this.surface.geometry.attributes.color, out = attribute.array;
            for (let i = 0; i < t.normals; ++i) {
                const [r, g, b] = rgb(t.pointOf[i]);
                out[4 * i] = linear[r], out[4 * i + 1] = linear[g], out[4 * i + 2] = linear[b], out[4 * i + 3] = 255;
            }
            attribute.needsUpdate = true;
        }
        const instances = (mesh, count, pointOf) => {
            for (let i = 0; mesh && i < count; ++i) {
                const [r, g, b] = rgb(pointOf(i));
                mesh.setColorAt(i, color.setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace));
            }
            if (mesh) mesh.instanceColor.needsUpdate = true;
        };
        instances(this.ropes, t.edges, i => t.edge[3 * i]);
        instances(this.knots, t.edges, i => t.edge[3 * i]);
        instances(this.balls, t.balls, i => t.ball[i]);
    }

    moveGrip(grip) {
        this.spring.visible = this.hand.visible = grip !== null;
        if (!grip) return;
        const at = this.spring.geometry.attributes.position;
        at.array.set(grip.from, 0);
        at.array.set(grip.to, 3);
        at.needsUpdate = true;
        this.hand.position.fromArray(grip.to);
        this.hand.scale.setScalar(0.008 * this.camera.position.distanceTo(this.hand.position));
    }

    // ---- the camera

    bounds() {
        const box = new THREE.Box3(), p = this.frame.position, at = new THREE.Vector3();
        for (let i = 0; i < p.length; i += 3) if (Number.isFinite(p[i])) box.expandByPoint(at.fromArray(p, i));
        for (const mesh of this.obstacles.children) {
            mesh.updateMatrixWorld();
            if (mesh.userData.shape !== "plane") box.expandByObject(mesh);
            else if (!box.isEmpty() && Math.abs(mesh.quaternion.x) + Math.abs(mesh.quaternion.z) < 1e-6)
                box.expandByPoint(at.set(box.getCenter(at).x, mesh.position.y, at.z));
        }
        return box;
    }

    setCamera(camera) { this.wanted = camera; }

    fit() {
        const box = this.bounds(), camera = this.wanted ?? {}, ball = box.getBoundingSphere(new THREE.Sphere());
        if (box.isEmpty()) return;
        this.fitted = true;
        this.size = 2 * ball.radius;
        this.camera.fov = Math.min(camera.field ?? 40, 60);
        const half = Math.tan(this.camera.fov / 2 * Math.PI / 180), wide = Math.min(1, this.free);
        const distance = 1.05 * ball.radius / (half * wide);
        const turn = (camera.azimuth ?? 30) * Math.PI / 180, rise = (camera.elevation ?? 20) * Math.PI / 180;
        this.controls.target.copy(ball.center);
        this.camera.position.set(Math.sin(turn) * Math.cos(rise), Math.sin(rise), Math.cos(turn) * Math.cos(rise))
            .multiplyScalar(distance).add(ball.center);
        if (Number.isFinite(camera.x ?? NaN)) {
            this.camera.position.set(camera.x, camera.y, camera.z);
            if (Number.isFinite(camera.tx ?? NaN)) this.controls.target.set(camera.tx, camera.ty, camera.tz);
        }
        this.camera.near = distance / 200;
        this.camera.far = distance * 60;
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.placeSun(ball);
        this.stale = true;
        this.placeFog();
        for (const mesh of this.obstacles.children) this.paintObstacle(mesh);
    }

    placeSun(ball) {
        const reach = 2.2 * ball.radius, shadow = this.sun.shadow.camera;
        this.sun.target.position.copy(ball.center);
        this.sun.position.copy(ball.center).add(new THREE.Vector3(0.45, 1, 0.55).normalize().multiplyScalar(4 * ball.radius));
        [shadow.left, shadow.right, shadow.bottom, shadow.top] = [-reach, reach, -reach, reach];
        shadow.near = 0.1 * ball.radius;
        shadow.far = 9 * ball.radius;
        shadow.updateProjectionMatrix();
    }

    placeFog() {
        if (!this.size) return;
        this.scene.fog.near = 3 * this.size;
        this.scene.fog.far = 14 * this.size;
    }

    // ---- the hand

    aim(x, y) {
        const box = this.canvas.getBoundingClientRect();
        this.ray.setFromCamera(new THREE.Vector2(2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height), this.camera);
        return this.ray.ray;
    }

    // The body under a place of the screen, as a ray, and the plane in which it is dragged; or null.
    pick(x, y) {
        const ray = this.aim(x, y).clone();
        const found = this.ray.intersectObjects(this.bodies.children, false)[0];
        if (!found) return null;
        const facing = this.camera.getWorldDirection(new THREE.Vector3());
        this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, found.point);
        return ray;
    }

    reach(x, y) { return this.plane ? this.aim(x, y).intersectPlane(this.plane, new THREE.Vector3()) : null; }

    screen(point) {
        const at = new THREE.Vector3().fromArray(point).project(this.camera), box = this.canvas.getBoundingClientRect();
        return [box.left + (at.x + 1) / 2 * box.width, box.top + (1 - at.y) / 2 * box.height];
    }

    // ---- drawing

    // Only what is new: a picture that stands still costs nothing. Whether there was something.
    draw() {
        this.controls.update();
        if (!this.stale) return false;
        this.stale = false;
        this.renderer.render(this.scene, this.camera);
        return true;
    }

    // Where drawing is slow, fine pixels go first, then shadows, then more pixels. `late`: milliseconds from picture to
    // picture, while there are some.
    adapt(late) {
        this.slow = late > 28 ? this.slow + late / 28 : Math.max(0, this.slow - 1);
        if (this.slow < 25 || this.quality === 0) return;
        this.slow = 0;
        this.quality -= 1;
        this.applyQuality();
    }

    // 3: all; 2: coarser shadows and pixels; 1: no shadows; 0: few pixels.
    applyQuality() {
        const shadow = this.sun.shadow, size = this.quality === 3 ? 2048 : 1024;
        this.renderer.shadowMap.enabled = this.sun.castShadow = this.quality >= 2;
        if (shadow.mapSize.x !== size) {
            shadow.mapSize.set(size, size);
            shadow.map?.dispose();
            shadow.map = null;
        }
        this.scene.traverse(part => { if (part.material) part.material.needsUpdate = true; });
        this.resize();
    }

    image() {
        this.stale = true;
        this.draw();
        return new Promise(done => this.canvas.toBlob(done, "image/png"));
    }
}
