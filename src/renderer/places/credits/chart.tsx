import { useEffect, useRef, useSyncExternalStore } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ChartData } from './chart-data.ts'
import { coloursNow, onColours, readColour } from '../../parts/colours.ts'
import { regional } from '../../text/figures.ts'

interface ChartProps {
  kind: 'steps' | 'bars'
  /** A bar is one day. */
  data: ChartData
  label: string
  timeLabel: string
  /** One of the colour tokens, e.g. `--accent`. */
  colour: string
  /** Stands for a value that is null. */
  unknown: string
  heightPx: number
}

/** Drawn on a canvas; the caller provides the same figures as a table for screen readers. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  // The colours are read when the chart is created.
  const colours = useSyncExternalStore(onColours, coloursNow)
  useEffect(() => {
    const box = place.current
    if (box === null) return
    const chart = new uPlot(optionsFor(props, box), [props.data.times, props.data.values], box)
    const observer = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: props.heightPx }))
    observer.observe(box)
    showLast(chart)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [props, colours])
  return <div ref={place} className="chart" aria-hidden />
}

const DAY_S = 86_400
const AXIS_HEIGHT_PX = 26

/** Without a pointer on the chart the legend shows the newest figures. */
function showLast(chart: uPlot): void {
  if (chart.data[0].length > 0) chart.setLegend({ idx: chart.data[0].length - 1 }, false)
}

const PATHS: Record<ChartProps['kind'], uPlot.Series.PathBuilder> = {
  bars: uPlot.paths.bars!({ size: [0.6, 24] }),
  steps: uPlot.paths.stepped!({ align: 1 }),
}

function coloursIn(box: HTMLElement, colour: string) {
  const probe = box.appendChild(document.createElement('span'))
  const read = readColour(probe)
  const colours = { secondary: read('var(--secondary)'), line: read('var(--line)'), ink: read(`var(${colour})`) }
  probe.remove()
  return colours
}

/** `tick`: a date at the axis; months where the time is long. `exact`: in the legend. */
function formatsFor(kind: ChartProps['kind'], isLong: boolean) {
  const locale = regional()
  return {
    number: new Intl.NumberFormat(locale),
    compact: new Intl.NumberFormat(locale, { notation: 'compact' }),
    exact: new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      ...(kind === 'bars' ? {} : { timeStyle: 'short' }),
    }),
    tick: new Intl.DateTimeFormat(
      locale,
      isLong ? { month: 'short', year: '2-digit' } : { day: 'numeric', month: 'short' },
    ),
  }
}

function optionsFor(
  { kind, data: { fromS, untilS }, label, timeLabel, colour, unknown, heightPx }: ChartProps,
  box: HTMLElement,
): uPlot.Options {
  const { secondary, line, ink } = coloursIn(box, colour)
  const isLong = untilS - fromS > 200 * DAY_S
  const { number, compact, exact, tick } = formatsFor(kind, isLong)
  const axis = { stroke: secondary, grid: { stroke: line, width: 1 }, ticks: { show: false } }
  const font = `11px ${getComputedStyle(box).fontFamily}`
  return {
    width: box.clientWidth,
    height: heightPx,
    // The margin at the right has room for half of the last date.
    padding: [8, 24, 0, 0],
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    legend: { live: true },
    hooks: { setCursor: [(chart) => chart.cursor.idx === null && showLast(chart)] },
    scales: {
      x: { range: () => [fromS, untilS] },
      // Starts a little below zero, so that a line at zero is fully visible.
      y: {
        range: (_, __, max) => {
          const most = Math.max(1, max ?? 0)
          return [-most * 0.02, most * 1.08]
        },
      },
    },
    axes: [
      {
        ...axis,
        font,
        grid: { show: false },
        // Dates, so never closer than a day; a month apart where they name months.
        incrs: [1, 2, 7, 14, 28, 61, 122].map((days) => days * DAY_S).filter((step) => !isLong || step > 28 * DAY_S),
        values: (_, splits) => splits.map((at) => tick.format(at * 1000)),
        space: 64,
        size: AXIS_HEIGHT_PX,
      },
      {
        ...axis,
        font,
        size: 48,
        values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? compact.format(value) : '')),
      },
    ],
    series: [
      { label: timeLabel, value: (_, at) => (at === null ? '–' : exact.format(at * 1000)) },
      {
        label,
        stroke: ink,
        width: kind === 'bars' ? 0 : 2,
        ...(kind === 'bars' ? { fill: ink } : {}),
        points: { show: false },
        paths: PATHS[kind],
        value: (_: uPlot, value: number | null) => (value === null ? unknown : number.format(Math.round(value))),
      },
    ],
  }
}
