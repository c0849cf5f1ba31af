// Reads glTF files back.
// node gltf.cjs validate FILE...                  the validator of the Khronos Group finds no error, warning or remark
// node gltf.cjs motion FILE SNAPSHOTS.csv SPEED      each body's node is where the snapshots say at their times
// node gltf.cjs distance FILE A B                 prints the least distance of two nodes, placed through parents [m]
"use strict";
const fs = require("fs");

function check(fact, text) {
    if (!fact) {
        console.error("FAILED: " + text);
        process.exitCode = 1;
    }
}

// ---- the container ----

function readAsset(file) {
    const bytes = fs.readFileSync(file);
    const length = bytes.readUInt32LE(12);
    const gltf = JSON.parse(bytes.subarray(20, 20 + length).toString("utf8"));
    return { gltf, data: bytes.subarray(28 + length), motions: {} };
}

function readAccessor({ gltf, data }, index) {
    const a = gltf.accessors[index], view = gltf.bufferViews[a.bufferView];
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[a.type], rows = [];
    let at = (view.byteOffset || 0) + (a.byteOffset || 0);
    for (let k = 0; k < a.count; k++, at += 4 * width)
        rows.push(Array.from({ length: width }, (_, j) => data.readFloatLE(at + 4 * j)));
    return rows;
}

// Times and values of what moves a node, read once; null if nothing does.
function motionOf(asset, node, path) {
    const key = `${node} ${path}`;
    if (!(key in asset.motions))
        asset.motions[key] = readMotion(asset, node, path);
    return asset.motions[key];
}

function readMotion(asset, node, path) {
    for (const animation of asset.gltf.animations || [])
        for (const channel of animation.channels)
            if (channel.target.node === node && channel.target.path === path) {
                const sampler = animation.samplers[channel.sampler];
                return { times: readAccessor(asset, sampler.input), values: readAccessor(asset, sampler.output) };
            }
    return null;
}

const nodeOf = (asset, name) => asset.gltf.nodes.findIndex((node) => node.name === name);

// ---- the validator ----

async function validate(files) {
    const validator = require("gltf-validator");
    for (const file of files) {
        const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 20 });
        const count = issues.numErrors + issues.numWarnings + issues.numInfos + issues.numHints;
        check(count === 0, `${file}: ${JSON.stringify(issues.messages)}`);
    }
}

// ---- the motion ----

function readTable(file) {
    const [head, ...lines] = fs.readFileSync(file, "utf8").trim().split("\n");
    const names = head.split(",").map((name) => name.replace(/ \[.*$/, ""));
    return lines.map((line) => Object.fromEntries(line.split(",").map((text, k) => [names[k], Number(text)])));
}

function checkMotion(file, table, speed) {
    const asset = readAsset(file), start = table[0].time, rows = [];
    for (const row of table) {
        row.shown = Math.fround((row.time - start) / speed);
        if (!rows.length || row.shown > rows[rows.length - 1].shown)
            rows.push(row);
    }
    const bodies = new Set(Object.keys(table[0]).map((name) => /^body\.(.*)\.position\.x$/.exec(name)).filter(Boolean)
        .map((match) => match[1]));
    let compared = 0;
    for (const body of bodies) {
        const node = nodeOf(asset, body), moves = motionOf(asset, node, "translation");
        const turns = motionOf(asset, node, "rotation");
        check(node >= 0, `${file}: no node ${body}`);
        rows.forEach((row, k) => {
            const want = ["x", "y", "z"].map((axis) => Math.fround(row[`body.${body}.position.${axis}`] || 0));
            const got = moves ? moves.values[k] : asset.gltf.nodes[node].translation.map(Math.fround);
            check(want.every((value, j) => value === got[j]), `${file}: ${body} at ${row.time} s: ${got}, not ${want}`);
            check(!moves || moves.times[k][0] === row.shown, `${file}: key ${k} is not at ${row.shown} s`);
            compared += moves ? 1 : 0;
            if (turns && row[`body.${body}.angle`] !== undefined) {
                const angle = 2 * Math.atan2(turns.values[k][2], turns.values[k][3]) - row[`body.${body}.angle`];
                check(Math.abs(Math.sin(angle / 2)) < 1e-6, `${file}: ${body} at ${row.time} s is turned wrongly`);
            }
        });
        check(!moves || moves.values.length === rows.length, `${file}: ${body} has not one key a frame`);
    }
    check(compared > 0, `${file}: nothing moves`);
    console.log(`${file}: ${compared} positions are those of the snapshots`);
}

// ---- placing nodes through their parents ----

function rotate([x, y, z, w], v) {
    const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
        v[2] + w * t[2] + x * t[1] - y * t[0]];
}

function place(asset, index, key) {
    const { gltf } = asset;
    let at = [0, 0, 0];
    for (let node = index; node >= 0; node = gltf.nodes.findIndex((n) => (n.children || []).includes(node))) {
        const moves = motionOf(asset, node, "translation"), turns = motionOf(asset, node, "rotation");
        const by = moves ? moves.values[key] : gltf.nodes[node].translation;
        at = rotate(turns ? turns.values[key] : gltf.nodes[node].rotation, at).map((value, k) => value + by[k]);
    }
    return at;
}

function leastDistance(file, a, b) {
    const asset = readAsset(file), keys = asset.gltf.accessors[asset.gltf.animations[0].samplers[0].input].count;
    let least = Infinity;
    for (let key = 0; key < keys; key++) {
        const p = place(asset, nodeOf(asset, a), key), q = place(asset, nodeOf(asset, b), key);
        least = Math.min(least, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
    }
    return least;
}

const [task, ...rest] = process.argv.slice(2);
if (task === "validate")
    validate(rest).catch((error) => { console.error(error); process.exitCode = 1; });
else if (task === "motion")
    checkMotion(rest[0], readTable(rest[1]), Number(rest[2]));
else
    console.log(leastDistance(...rest));
