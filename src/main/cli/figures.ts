import { relative, sep } from 'node:path'
import type { ForeignFolders } from '../../shared/contract/intake.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import { JobState } from '../../shared/sentences/reasons.ts'
import { listText } from '../../shared/text/list-text.ts'
import { sizeText as sizeIn } from '../../shared/text/size-text.ts'
import { countText } from '../core/english-figures.ts'
import type { Terminal } from './terminal.ts'

/** For figures that are not known. */
export const DASH = '–'

/** `412 kB`, `3.1 MB`. */
export function sizeText(bytes: number): string {
  return sizeIn(bytes, 'en')
}

/** `−42 %`; plus when it grew. */
export function changeText(before: number, after: number): string {
  if (before <= 0) return ''
  const percent = Math.round((after / before - 1) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)} %`
}

/** `Pictures: 3 ready, 12 done`. */
export function picturesText(counts: JobCounts): string {
  const present = JobState.options.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${state}`)
  return `Pictures: ${present.length === 0 ? 'none yet' : listText(present, 'en')}`
}

/** Also says how to process one of them all the same. */
export function sayForeign(terminal: Terminal, { count, first }: ForeignFolders): void {
  if (count === 0) return
  const names = listText(count > first.length ? [...first, '…'] : first, 'en')
  const what =
    count === 1 ? 'it is a bin, a snapshot or another program’s' : 'they are bins, snapshots or other programs’'
  const left = `${countText(count, 'folder')} left out because ${what}: ${names}.`
  terminal.err(`${left} To process one, name the folder itself.`)
  terminal.json({ event: 'left_out', count, first })
}

/** Says the first lines of a list, and how many `more` there are. */
export function sayFirst(terminal: Terminal, lines: readonly string[], more: string, max = 20): void {
  for (const line of lines.slice(0, max)) terminal.err(line)
  if (lines.length > max) terminal.err(`… and ${countText(lines.length - max, more)}.`)
}

/** Relative if it is below `cwd`. */
export function pathText(path: string, cwd: string): string {
  const fromHere = relative(cwd, path)
  return fromHere !== '' && !fromHere.startsWith(`..${sep}`) && fromHere !== '..' && !/^[a-z]:/i.test(fromHere)
    ? fromHere
    : path
}

/** Two spaces apart; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell))))
  return rows.map((row) =>
    row
      .map((cell, index) =>
        index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - displayWidth(cell)),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** To this many columns, with an ellipsis. */
export function shortened(cell: string, max: number): string {
  if (displayWidth(cell) <= max) return cell
  let kept = ''
  for (const character of cell) {
    if (displayWidth(kept + character) >= max) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/** Combining marks take no column, wide characters two. */
function displayWidth(text: string): number {
  let width = 0
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1
  }
  return width
}
