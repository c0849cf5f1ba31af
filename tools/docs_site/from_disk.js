// Search in pages that are opened from the disk, where browsers start no workers and fetch no files: the index is a script,
// and the worker's script runs in a frame.
if (location.protocol === "file:") {
    const here = document.currentScript.src;
    document.write(`<script src="${new URL("../search/search_index.js", here)}"></script>`);

    window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            this.waiting = [];
            const frame = document.createElement("iframe");
            frame.hidden = true;
            document.documentElement.append(frame);
            const inner = frame.contentWindow;
            inner.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}));
            const script = inner.document.createElement("script");
            script.src = url;
            script.onload = () => {
                this.inner = inner;
                this.waiting.splice(0).forEach(data => this.postMessage(data));
            };
            inner.document.documentElement.append(script);
        }

        postMessage(data) {
            if (this.inner)
                this.inner.dispatchEvent(new this.inner.MessageEvent("message", {data}));
            else
                this.waiting.push(data);
        }
    };
}
