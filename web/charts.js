// Charts by uPlot: axes, a crosshair that all charts share, drag to zoom, thresholds and incidents in the background.
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
};

export const formatValue = (value, unit) =>
  value === null || value === undefined ? "unknown" : units[unit].text(value);

/** Colours come from the style sheet, so that they follow the colour scheme. */
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: read("secondary"),
    grid: read("grid"),
    line: read("accent"),
    surface: read("surface"),
    fill: read("accent-fill"),
    bands: { page: read("critical-fill"), warning: read("warning-fill"), info: read("accent-fill") },
    threshold: read("critical"),
  };
}

const toSeconds = (instant) => Date.parse(instant) / 1_000;

/** The top of the scale: the highest value, and the threshold where it is not far above. */
function findTop(values, { unit, threshold }) {
  if (units[unit].max) return units[unit].max;
  const highest = Math.max(0, ...values.filter((value) => value !== null));
  const top = threshold !== undefined && threshold <= 2.5 * highest ? Math.max(highest, threshold) : highest;
  return (top || 1) * 1.1;
}

export const hasData = (values) => values.some((value) => value !== null);

/** `input`: { at, values, unit, threshold, from, until, bands, label }. Returns the functions to update and to remove it. */
export function createChart(container, { onZoom, onReading }) {
  let plot;
  let input;
  let look = "";

  function draw() {
    const colours = readColours();
    const clip = ({ left, width: plotWidth }, from, until) => [
      Math.max(left, from),
      Math.min(left + plotWidth, until),
    ];
    const drawBands = (self) => {
      const { ctx, bbox } = self;
      ctx.save();
      for (const { from, until, severity } of input.bands) {
        const end = until ?? input.until;
        const [x1, x2] = clip(
          bbox,
          self.valToPos(toSeconds(from), "x", true),
          self.valToPos(toSeconds(end), "x", true),
        );
        if (x2 < bbox.left || x1 > bbox.left + bbox.width) continue;
        // Bands that overlap do not mix: the worst is drawn last, on the colour of the surface.
        for (const colour of [colours.surface, colours.bands[severity]]) {
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
      ctx.strokeStyle = colours.threshold;
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.restore();
    };
    const axis = {
      stroke: colours.text,
      font: "12px system-ui, sans-serif",
      grid: { stroke: colours.grid, width: 1 },
      ticks: { stroke: colours.grid, width: 1, size: 4 },
    };
    const { steps } = units[input.unit];
    plot = new globalThis.uPlot(
      {
        width: Math.max(200, container.clientWidth),
        height,
        // The label of a tick at the right end is as wide as this on each side.
        padding: [8, 26, 0, 0],
        legend: { show: false },
        cursor: {
          sync: { key: "v1watch" },
          drag: { x: true, y: false, setScale: false },
          points: { size: 7, fill: colours.line },
        },
        tzDate: (seconds) =>
          usesUtc() ? globalThis.uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC") : new Date(seconds * 1e3),
        scales: {
          x: { range: () => [toSeconds(input.from), toSeconds(input.until)] },
          y: { range: () => [0, findTop(input.values, input)] },
        },
        axes: [
          { ...axis, size: 26, space: 70, values: formatTicks },
          {
            ...axis,
            size: 62,
            space: 28,
            ...(steps && { incrs: steps }),
            // Without data there is no scale to label.
            values: (_, ticks) =>
              ticks.map((value) =>
                !hasData(input.values) ? "" : value === 0 ? "0" : units[input.unit].text(value),
              ),
          },
        ],
        series: [
          {},
          {
            stroke: colours.line,
            fill: colours.fill,
            width: 1.5,
            points: { show: input.at.length <= 60, size: 4, fill: colours.line },
          },
        ],
        hooks: {
          drawClear: [drawBands],
          draw: [drawThreshold],
          setCursor: [(self) => onReading(self.cursor.idx === null ? undefined : readingAt(self.cursor.idx))],
          setSelect: [
            (self) => {
              const { left, width } = self.select;
              if (width < 6) return;
              const [from, until] = [self.posToVal(left, "x"), self.posToVal(left + width, "x")];
              onZoom(new Date(from * 1e3).toISOString(), new Date(until * 1e3).toISOString());
            },
          ],
        },
      },
      [input.at, input.values],
      container,
    );
  }

  const readingAt = (index) => {
    const at = input.at[index];
    return at === undefined
      ? undefined
      : `${formatTime(at * 1e3, { seconds: input.isSingle })} · ${formatValue(input.values[index], input.unit)}`;
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
      container.setAttribute("aria-label", next.label);
      // Settings that uPlot reads only once.
      const nextLook = JSON.stringify([next.unit, usesUtc(), next.at.length <= 60]);
      if (plot && nextLook === look) plot.setData([next.at, next.values]);
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
