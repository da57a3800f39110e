import i18next from 'i18next'
import { listText as listIn } from '../../shared/text/list-text.ts'
import { sizeText as sizeIn } from '../../shared/text/size-text.ts'

/* Figures and lists as people say them, in the window's language. */

/** The window's language; English as in the person's own country, where the system says one: days and months stand in that order. */
export function regional(): string {
  const { language } = i18next
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
}

/** Making a formatter costs more than using it a hundred times, and a list says hundreds of figures at once. */
const formatters = new Map<string, unknown>()

function formatter<Options, Format>(Made: new (locale: string, options: Options) => Format, options: Options): Format {
  const key = `${i18next.language} ${JSON.stringify(options)}`
  let known = formatters.get(key) as Format | undefined
  if (known === undefined) formatters.set(key, (known = new Made(regional(), options)))
  return known
}

const number = (options: Intl.NumberFormatOptions) => formatter(Intl.NumberFormat, options)
const time = (options: Intl.DateTimeFormatOptions) => formatter(Intl.DateTimeFormat, options)

/** `1234567` → "1.2 MB". */
export const sizeText = (bytes: number): string => sizeIn(bytes, regional())

export const listText = (items: readonly string[], type?: 'conjunction'): string =>
  listIn(items, i18next.language, type)

export const countText = (count: number): string => number({}).format(count)

/** With at most this many digits after the decimal mark. */
export const decimalText = (value: number, digits: number): string =>
  number({ maximumFractionDigits: digits }).format(value)

/** How much smaller, as a signed share: −63 %. Null when there is nothing to compare. */
export function changeText(before: number, after: number): string | null {
  if (before <= 0) return null
  return number({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
    .format(after / before - 1)
    .replace('-', '−')
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** "2 minutes ago", "in 5 minutes"; under a minute "now". */
export function relativeText(atMs: number, nowMs: number): string {
  const format = formatter(Intl.RelativeTimeFormat, { numeric: 'auto', style: 'short' })
  const difference = atMs - nowMs
  const [unit, size] = STEPS.find(([, step]) => Math.abs(difference) >= step) ?? ['second', Infinity]
  return format.format(Math.trunc(difference / size), unit)
}

export const exactTimeText = (atMs: number): string => time({ dateStyle: 'medium', timeStyle: 'medium' }).format(atMs)

/** Formats a date such as `2026-11-21`. */
export const dayText = (day: string): string => time({ dateStyle: 'medium' }).format(new Date(`${day}T12:00`))

/** "about 11 min": never more exact than it is known. */
export function durationText(ms: number): string {
  const [value, unit] = durationIn(ms / 60_000)
  return number({ style: 'unit', unit, unitDisplay: 'short' }).format(value)
}

function durationIn(minutes: number): [number, string] {
  if (minutes < 1) return [Math.max(1, Math.round(minutes * 60)), 'second']
  if (minutes < 90) return [Math.round(minutes), 'minute']
  const hours = minutes / 60
  return hours < 72 ? [Math.round(hours), 'hour'] : [Math.round(hours / 2.4) / 10, 'day']
}
