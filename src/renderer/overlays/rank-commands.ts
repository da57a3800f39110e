export interface FoundGroup {
  name: GroupName
  found: Command[]
}

/** Shown before anything is typed; the rest is found by typing. */
const FIRST: readonly GroupName[] = ['places', 'actions']
const MOST_A_GROUP = 6

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

/**
 * The commands whose words hold every word that was typed, best first: one that begins with the text, then one with a word
 * that does, then the rest. Groups go by their best; accents and case do not matter.
 */
export function rankCommands(groups: Readonly<Record<GroupName, readonly Command[]>>, text: string): FoundGroup[] {
  const names = Object.keys(groups) as GroupName[]
  const typed = plain(text).split(/\s+/).filter(Boolean)
  if (typed.length === 0)
    return FIRST.map((name) => ({ name, found: [...groups[name]] })).filter(({ found }) => found.length > 0)
  const ranked = names.map((name) => {
    const scored = groups[name].map((command) => ({ command, score: score(command, typed) }))
    const fit = scored.filter((other) => other.score > 0).toSorted((one, other) => other.score - one.score)
    return { name, best: fit[0]?.score ?? 0, found: fit.slice(0, MOST_A_GROUP).map(({ command }) => command) }
  })
  return ranked
    .filter(({ best }) => best > 0)
    .toSorted((one, other) => other.best - one.best)
    .map(({ name, found }) => ({ name, found }))
}

function score({ label, more }: Command, typed: readonly string[]): number {
  const name = plain(label)
  const all = more === undefined ? name : `${name} ${plain(more)}`
  if (!typed.every((word) => all.includes(word))) return 0
  const first = typed[0]!
  if (name.startsWith(first)) return 3
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first)) ? 2 : 1
}

/** Something the palette can do. */
export interface Command {
  id: string
  label: string
  /** Said in small type after the label; found by a search too. */
  more?: string
  /** As `matchesKeys` reads them. */
  keys?: string
  run: () => void
}

export type GroupName = 'places' | 'actions' | 'recipes' | 'folders' | 'settings' | 'appearance'
