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

function formatter<Format>(name: string, make: (locale: string) => Format): Format {
  const key = `${name} ${i18next.language}`
  let known = formatters.get(key) as Format | undefined
  if (known === undefined) formatters.set(key, (known = make(regional())))
  return known
}

/** `1234567` → "1.2 MB". */
export function sizeText(bytes: number): string {
  return sizeIn(bytes, regional())
}

export function listText(items: readonly string[], type?: 'conjunction'): string {
  return listIn(items, i18next.language, type)
}

export function countText(count: number): string {
  return formatter('count', (locale) => new Intl.NumberFormat(locale)).format(count)
}

/** With at most this many digits after the decimal mark. */
export function decimalText(value: number, digits: number): string {
  const options = { maximumFractionDigits: digits }
  return formatter(`decimal ${digits}`, (locale) => new Intl.NumberFormat(locale, options)).format(value)
}

/** How much smaller, as a signed share: −63 %. Null when there is nothing to compare. */
export function changeText(before: number, after: number): string | null {
  if (before <= 0) return null
  const options = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' } as const
  return formatter('change', (locale) => new Intl.NumberFormat(locale, options))
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
  const options = { numeric: 'auto', style: 'short' } as const
  const format = formatter('relative', (locale) => new Intl.RelativeTimeFormat(locale, options))
  const difference = atMs - nowMs
  const [unit, size] = STEPS.find(([, step]) => Math.abs(difference) >= step) ?? ['second', 0]
  return size === 0 ? format.format(0, 'second') : format.format(Math.trunc(difference / size), unit)
}

export function exactTimeText(atMs: number): string {
  const options = { dateStyle: 'medium', timeStyle: 'medium' } as const
  return formatter('exact time', (locale) => new Intl.DateTimeFormat(locale, options)).format(atMs)
}

/** Formats a date such as `2026-11-21`. */
export function dayText(day: string): string {
  const options = { dateStyle: 'medium' } as const
  const noon = new Date(`${day}T12:00`)
  return formatter('day', (locale) => new Intl.DateTimeFormat(locale, options)).format(noon)
}

/** "about 11 min": never more exact than it is known. */
export function durationText(ms: number): string {
  const minutes = ms / 60_000
  const [value, unit] = durationIn(ms, minutes)
  const options = { style: 'unit', unit, unitDisplay: 'short' } as const
  return formatter(`duration ${unit}`, (locale) => new Intl.NumberFormat(locale, options)).format(value)
}

function durationIn(ms: number, minutes: number): [number, string] {
  if (minutes < 1) return [Math.max(1, Math.round(ms / 1000)), 'second']
  if (minutes < 90) return [Math.round(minutes), 'minute']
  const hours = minutes / 60
  return hours < 72 ? [Math.round(hours), 'hour'] : [Math.round(hours / 2.4) / 10, 'day']
}
