interface FoundGroup {
  name: GroupName
  found: Command[]
}

/** Shown before anything is typed. */
const FIRST: readonly GroupName[] = ['places', 'actions']
const MAX_PER_GROUP = 6

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

/**
 * The commands that contain every typed word, best match first: label begins with the text, then a word of it does, then the
 * rest. Groups are sorted by their best match. Ignores accents and case.
 */
export function rankCommands(groups: Readonly<Record<GroupName, readonly Command[]>>, text: string): FoundGroup[] {
  const names = Object.keys(groups) as GroupName[]
  const typed = plain(text).split(/\s+/).filter(Boolean)
  if (typed.length === 0)
    return FIRST.map((name) => ({ name, found: [...groups[name]] })).filter(({ found }) => found.length > 0)
  const ranked = names.map((name) => {
    const scored = groups[name].map((command) => ({ command, score: score(command, typed) }))
    const fit = scored.filter((other) => other.score > 0).toSorted((one, other) => other.score - one.score)
    return { name, best: fit[0]?.score ?? 0, found: fit.slice(0, MAX_PER_GROUP).map(({ command }) => command) }
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

export interface Command {
  id: string
  label: string
  /** Shown in small type after the label; searched too. */
  more?: string
  /** In the notation of `matchesKeys`. */
  keys?: string
  run: () => void
}

export type GroupName = 'places' | 'actions' | 'recipes' | 'folders' | 'settings' | 'appearance'
