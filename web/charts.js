// Charts by uPlot: axes, a crosshair that all charts share, thresholds and incidents in the background, and a drag by mouse,
// pen or finger that selects a time to zoom into.
import { describeDuration, formatTime, usesUtc } from "./dom.js";

const height = 132;
const units = {
  ms: {
    text: (value) =>
      value >= 10_000
        ? `${(value / 1_000).toFixed(1)} s`
        : `${(value < 10 ? Math.round(value * 10) / 10 : Math.round(value)).toLocaleString("en-US")} ms`,
  },
  "%": { text: (value) => `${Math.round(value * 10) / 10} %`, max: 100 },
  s: {
    text: (value) => describeDuration(value),
    steps: [
      1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800, 432_000,
      864_000, 2_592_000,
    ],
  },
  fields: {
    text: (value) => `${value} ${value === 1 ? "field" : "fields"}`,
    steps: [1, 2, 5, 10, 20, 50, 100],
    least: 4,
  },
};

export const formatValue = (value, unit) =>
  value === null || value === undefined ? "unknown" : units[unit].text(value);

/** Colours and the margins of the plot come from the style sheet: they follow the colour scheme, and strips share them. */
function readStyle() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: read("secondary"),
    grid: read("grid"),
    lines: [read("accent"), read("line-2"), read("line-3"), read("line-4")],
    surface: read("surface"),
    fill: read("accent-fill"),
    bands: { page: read("critical-fill"), warning: read("warning-fill"), info: read("accent-fill") },
    threshold: read("critical"),
    left: Number.parseFloat(read("plot-left")),
    right: Number.parseFloat(read("plot-right")),
  };
}

const toSeconds = (instant) => Date.parse(instant) / 1_000;
const isKnown = (value) => value !== null && value !== undefined;

/** The top of the scale: the highest value, and the threshold where it is not far above. */
function findTop({ lines, unit, threshold }) {
  const { max, least = 0 } = units[unit];
  if (max) return max;
  const highest = Math.max(least, ...lines.flatMap(({ values }) => values.filter(isKnown)));
  const top = isNear(threshold, highest) ? Math.max(highest, threshold) : highest;
  return (top || 1) * 1.1;
}

const isNear = (threshold, highest) => threshold !== undefined && threshold <= 2.5 * highest;

export const hasData = (lines) => lines.some(({ values }) => values.some(isKnown));

/** Lines with instants of their own on one axis. What a line does not have at an instant interrupts it not. */
const align = (lines) =>
  lines.length === 0 ? [[], []] : globalThis.uPlot.join(lines.map(({ at, values }) => [at, values]));

/** Less is a tap or a click. */
const minDragPx = 6;

/**
 * `input`: { lines: [{ name, at, values }], unit, threshold, from, until, bands, label, isSingle }. Returns the functions to
 * update and to remove it.
 */
export function createChart(container, { onZoom, onReset, onReading }) {
  let plot;
  let input;
  let data = [[], []];
  let look = "";

  function draw() {
    const style = readStyle();
    const drawBands = (self) => {
      const { ctx, bbox } = self;
      const clip = (x) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, x));
      ctx.save();
      for (const { from, until, severity } of input.bands) {
        const [x1, x2] = [from, until ?? input.until].map((instant) =>
          clip(self.valToPos(toSeconds(instant), "x", true)),
        );
        // Bands that overlap do not mix: the worst is drawn last, on the colour of the surface.
        for (const colour of [style.surface, style.bands[severity]]) {
          ctx.fillStyle = colour;
          ctx.fillRect(x1, bbox.top, Math.max(2 * devicePixelRatio, x2 - x1), bbox.height);
        }
      }
      ctx.restore();
    };
    const drawThreshold = (self) => {
      const { ctx, bbox } = self;
      if (input.threshold === undefined || input.threshold > self.scales.y.max) return;
      const y = Math.round(self.valToPos(input.threshold, "y", true)) + 0.5;
      ctx.save();
      ctx.strokeStyle = style.threshold;
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.restore();
    };
    const axis = {
      stroke: style.text,
      font: "12px system-ui, sans-serif",
      grid: { stroke: style.grid, width: 1 },
      ticks: { stroke: style.grid, width: 1, size: 4 },
    };
    const isOne = input.lines.length === 1;
    plot = new globalThis.uPlot(
      {
        width: Math.max(200, container.clientWidth),
        height,
        padding: [8, style.right, 0, 0],
        legend: { show: false },
        cursor: {
          sync: { key: "v1watch" },
          drag: { x: false, y: false },
          points: { size: 7 },
          bind: { dblclick: () => onReset },
        },
        tzDate: (seconds) =>
          usesUtc() ? globalThis.uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC") : new Date(seconds * 1e3),
        scales: {
          x: { range: () => [toSeconds(input.from), toSeconds(input.until)] },
          y: { range: () => [0, findTop(input)] },
        },
        axes: [
          { ...axis, size: 26, space: 70, values: formatTicks },
          {
            ...axis,
            size: style.left,
            space: 28,
            incrs: units[input.unit].steps,
            // Without data there is no scale to label.
            values: (_, ticks) =>
              ticks.map((value) =>
                !hasData(input.lines) ? "" : value === 0 ? "0" : units[input.unit].text(value),
              ),
          },
        ],
        series: [
          {},
          ...input.lines.map((line, index) => ({
            stroke: style.lines[index % style.lines.length],
            fill: isOne ? style.fill : undefined,
            width: 1.5,
            // Beside the colour, so that lines of the same colour can be told apart.
            dash: index >= style.lines.length ? [6, 4] : undefined,
            points: { show: line.at.length <= 60, size: 4, fill: style.lines[index % style.lines.length] },
          })),
        ],
        hooks: {
          drawClear: [drawBands],
          draw: [drawThreshold],
          setCursor: [(self) => onReading(isKnown(self.cursor.idx) ? readingAt(self.cursor.idx) : undefined)],
        },
      },
      data,
      container,
    );
    listenToDrag(plot, onZoom);
  }

  /** The latest known value of each line at an instant: samples are requested in turns. */
  const readingAt = (index) => {
    const at = data[0][index];
    if (at === undefined) return undefined;
    const texts = input.lines.map(({ name }, line) => {
      const known = data[line + 1].slice(0, index + 1).findLast((value) => value !== undefined);
      return `${name ? `${name} ` : ""}${formatValue(known, input.unit)}`;
    });
    return `${formatTime(at * 1e3, { seconds: input.isSingle })} · ${texts.join(", ")}`;
  };

  const remove = () => {
    plot?.destroy();
    plot = undefined;
  };
  const resized = new ResizeObserver(() => {
    const width = Math.max(200, container.clientWidth);
    if (plot && plot.width !== width) plot.setSize({ width, height });
  });
  resized.observe(container);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => {
    remove();
    if (input) draw();
  };
  scheme.addEventListener("change", redraw);

  return {
    update(next) {
      input = next;
      data = align(next.lines);
      container.setAttribute("aria-label", next.label);
      // Settings that uPlot reads only once.
      const shapes = next.lines.map(({ name, at }) => [name, at.length <= 60]);
      const nextLook = JSON.stringify([next.unit, usesUtc(), shapes]);
      if (plot && nextLook === look) plot.setData(data);
      else redraw();
      look = nextLook;
    },
    remove() {
      resized.disconnect();
      scheme.removeEventListener("change", redraw);
      remove();
    },
  };
}

/** A drag to the left or right selects; up and down scrolls the page, which the style sheet leaves to the browser. */
function listenToDrag(plot, onZoom) {
  const { over } = plot;
  let start;
  const positionOf = (event) => {
    const box = over.getBoundingClientRect();
    return Math.min(box.width, Math.max(0, event.clientX - box.left));
  };
  const show = (left, width) => plot.setSelect({ left, width, top: 0, height: over.clientHeight }, false);
  const end = () => {
    start = undefined;
    show(0, 0);
  };
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    start = positionOf(event);
    over.setPointerCapture(event.pointerId);
    // A finger has no position before it touches.
    plot.setCursor({ left: start, top: 0 });
  });
  over.addEventListener("pointermove", (event) => {
    if (start === undefined) return;
    const here = positionOf(event);
    if (event.pointerType !== "mouse") plot.setCursor({ left: here, top: 0 });
    show(Math.min(start, here), Math.abs(here - start));
  });
  over.addEventListener("pointercancel", end);
  over.addEventListener("pointerup", (event) => {
    if (start === undefined) return;
    const [left, right] = [start, positionOf(event)].toSorted((a, b) => a - b);
    end();
    if (right - left < minDragPx) return;
    const toInstant = (position) => new Date(plot.posToVal(position, "x") * 1e3).toISOString();
    onZoom(toInstant(left), toInstant(right));
  });
}

const day = (seconds) => formatTime(seconds * 1e3, { isFull: true }).slice(0, 10);

/** The clock, and the date where the day changes or a step is a day or longer. */
function formatTicks(_, ticks, __, ___, stepSeconds) {
  return ticks.map((seconds, index) => {
    const date = day(seconds);
    const clock = formatTime(seconds * 1e3, { seconds: stepSeconds < 60 }).slice(-(stepSeconds < 60 ? 8 : 5));
    if (stepSeconds >= 86_400) return date.slice(5);
    const isNewDay = index > 0 && day(ticks[index - 1]) !== date;
    return isNewDay ? date.slice(5) : clock;
  });
}
