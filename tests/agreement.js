/* All that a page shows at a moment, as text and geometry: a function for the browser, read by tests/agreement.py. */
() => {
    const all = (selector, read, root = document) => [...root.querySelectorAll(selector)].map(read);
    const text = (element) => element.textContent.trim();
    const of = (selector, root = document) => { const found = root.querySelector(selector); return found && text(found); };
    const attributes = (...names) => (element) => names.map((name) => element.getAttribute(name));
    const rows = (body) => [...body.rows].map((row) => ({
        chosen: row.classList.contains("chosen"),
        cells: [...row.cells].map(text),
    }));
    const drawn = (box) => {
        const graph = box.querySelector(".heatmap-graph");
        const canvas = box.querySelector(".heatmap-live");
        if (box.dataset.state === "plot" && graph.data) {
            const { z } = graph.data[0];
            return { kind: "plot", size: [z.length, z[0].length], cells: z.slice(0, 5).map((row) => [...row.slice(0, 6)]) };
        }
        if (box.dataset.state === "live") {
            const { data } = canvas.getContext("2d").getImageData(0, 0, Math.min(canvas.width, 6), Math.min(canvas.height, 5));
            return { kind: "live", size: [canvas.height, canvas.width], pixels: [...data] };
        }
        return { kind: box.dataset.state };
    };
    return {
        query: location.search,
        said: of("[data-said]"),
        barHidden: document.getElementById("state-bar").hidden,
        controls: all("[data-bind]", ({ dataset, type, value, checked, disabled, min, max }) =>
            ({ field: dataset.bind, type, value, checked, disabled, min, max })),
        valuetexts: all('[data-bind][type="range"]', attributes("data-bind", "aria-valuetext")),
        states: all("[data-field] [data-state]", (place) => [place.dataset.state, text(place)]),
        moved: all("[data-field][data-moved]", (place) => place.dataset.field),
        carried: all("a[data-carry]", (anchor) => anchor.getAttribute("href")),
        live: all("[data-live]", (place) => [place.getAttribute("data-live"), text(place)]),
        postures: all("[data-posture]", (box) => ({
            of: box.dataset.posture,
            chosen: all("circle", (dial) => dial.classList.contains("chosen"), box),
            hands: all("line", (hand) => attributes("x1", "y1", "x2", "y2")(hand).map(Number), box),
        })),
        rows: all("[data-row] tbody", rows),
        turns: all("[data-turn] tbody", rows),
        heatmaps: all("[data-follow]", (box) => ({
            shape: box.querySelector(".heatmap-cells").getAttribute("viewBox").split(" ").slice(2).map(Number),
            marks: all("[data-mark]", (mark) => ({
                ...mark.dataset,
                label: of("text", mark),
                rects: all("rect", (rect) => attributes("y", "height")(rect).map(parseFloat), mark),
            }), box),
            pair: all("[data-pair] rect", (rect) => attributes("x", "width")(rect).map(parseFloat), box),
            cell: of("[data-cell]", box),
            off: box.querySelector(".heatmap-off").hidden ? "" : of(".heatmap-off", box),
            drawn: drawn(box),
        })),
        waves: all("[data-waves] li", (item) => ({
            pair: Number(item.dataset.pair),
            chosen: item.classList.contains("chosen"),
            named: of(".wave-pair", item),
            height: of(".wave-height", item),
            cursor: item.querySelector(".cursor").getAttribute("d"),
            dot: item.querySelector(".dot").getAttribute("d"),
        })),
        strip: all("#figure-address .strip rect", attributes("fill")).flat(),
        wave: all('#figure-wave .moments [data-moment="0"] .output', text),
        ladder: all(".ladder tbody", rows)[0] ?? null,
        slots: all("#figure-sum [data-slot]", text),
        told: of("[data-told]"),
        count: all("[data-bar] .output", text),
        turn: all("#figure-turn [data-output=before], #figure-turn [data-output=after]", text),
        angles: all("#figure-turn .angles li", text),
        dials: all("#figure-turn [data-start] svg, #figure-turn [data-hands] svg", (svg) =>
            all("g", (dial) => dial.querySelector(".hand").getAttribute("d"), svg)),
        notes: all("[data-example-note]", (note) => note.hidden),
        verdicts: all("[data-invariant]", ({ dataset }) => [dataset.invariant, dataset.holds]),
        statements: all("#live-statements [data-statement]", ({ dataset }) => [dataset.statement, dataset.holds]),
        now: all("[data-now]", (place) => [place.dataset.now, text(place)]),
        flags: all("#window-7, #window-8, #bar", ({ dataset }) => dataset.verdict),
        tampered: all("#state, #bar", ({ dataset }) => dataset.state),
        tamper: document.getElementById("tamper")?.checked ?? null,
        fault: document.querySelector("input[name=fault]:checked")?.value ?? null,
        rules: all("[data-rules] li", (rule) => [of(".rule-pair", rule), of(".rule-length", rule)]),
        built: all("[data-built]", (note) => note.hidden),
    };
}
