import { useEffect, useRef, useSyncExternalStore } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { regional } from '../../text/figures.ts'

interface ChartSeries {
  label: string
  /** One of the colour tokens, e.g. `--accent`. */
  colour: string
  kind: 'steps' | 'bars' | 'points'
  values: readonly (number | null)[]
}

interface ChartProps {
  /** Unix seconds, ascending. */
  times: readonly number[]
  series: readonly ChartSeries[]
  timeLabel: string
  language: string
  /** Labels have dates without times. */
  daily: boolean
  heightPx: number
}

/** Drawn on a canvas; the caller provides the same figures as a table for screen readers. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  // The colours are read from the theme when the chart is created.
  const theme = useSyncExternalStore(onThemeShown, themeShown)
  useEffect(() => {
    const box = place.current
    if (box === null) return
    const chart = new uPlot(
      optionsFor(props, box),
      [[...props.times], ...props.series.map(({ values }) => [...values])],
      box,
    )
    const observer = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: props.heightPx }))
    observer.observe(box)
    showLast(chart)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [props, theme])
  return <div ref={place} className="chart" aria-hidden />
}

const themeShown = () => document.documentElement.dataset.theme
function onThemeShown(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

const DAY_S = 86_400
const AXIS_HEIGHT_PX = 26

/** Without a pointer on the chart the legend shows the newest figures. */
function showLast(chart: uPlot): void {
  chart.setLegend({ idx: chart.data[0].length - 1 }, false)
}

/** The bar of a day is centred on noon; without margins the first and the last bar would be cut in half. */
const withRoom =
  (daily: boolean) =>
  (_: uPlot, min: number, max: number): [number, number] =>
    daily ? [min - DAY_S * 0.6, max + DAY_S * 0.6] : [min, Math.max(max, min + 1)]

const PATHS: Record<ChartSeries['kind'], uPlot.Series.PathBuilder> = {
  bars: uPlot.paths.bars!({ size: [0.6, 24] }),
  steps: uPlot.paths.stepped!({ align: 1 }),
  points: () => null,
}

function optionsFor({ series, timeLabel, language, daily, heightPx }: ChartProps, box: HTMLElement): uPlot.Options {
  const style = getComputedStyle(box)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const locale = regional(language)
  const number = new Intl.NumberFormat(locale)
  const time = new Intl.DateTimeFormat(
    locale,
    daily ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' },
  )
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const hour = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  const split = (seconds: number, spanSeconds: number) =>
    (spanSeconds < 2 * DAY_S && !daily ? hour : day).format(seconds * 1000)
  const axis = { stroke: token('--secondary'), grid: { stroke: token('--line'), width: 1 }, ticks: { show: false } }
  const font = `11px ${style.fontFamily}`
  return {
    width: box.clientWidth,
    height: heightPx,
    // The margin at the right has room for half of the last date.
    padding: [8, 24, 0, 0],
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    legend: { live: true },
    hooks: { setCursor: [(chart) => chart.cursor.idx === null && showLast(chart)] },
    scales: {
      x: { range: withRoom(daily) },
      // Starts a little below zero, so that a line at zero is fully visible.
      y: {
        range: (_, min, max) => {
          const most = Math.max(1, max ?? 0)
          return [Math.min(0, min ?? 0) - most * 0.02, most * 1.08]
        },
      },
    },
    axes: [
      {
        ...axis,
        font,
        grid: { show: false },
        values: (_, splits) => splits.map((at) => split(at, splits.at(-1)! - splits[0]!)),
        space: 90,
        size: AXIS_HEIGHT_PX,
      },
      {
        ...axis,
        font,
        size: 62,
        values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? number.format(value) : '')),
      },
    ],
    series: [
      { label: timeLabel, value: (_, at) => (at === null ? '–' : time.format(at * 1000)) },
      ...series.map(({ label, colour, kind }): uPlot.Series => {
        const ink = token(colour)
        return {
          label,
          stroke: ink,
          width: kind === 'bars' ? 0 : 2,
          ...(kind === 'bars' ? { fill: ink } : {}),
          points: kind === 'points' ? { show: true, size: 7, fill: ink } : { show: false },
          paths: PATHS[kind],
          value: (_: uPlot, value: number | null) => (value === null ? '–' : number.format(Math.round(value))),
        }
      }),
    ],
  }
}
