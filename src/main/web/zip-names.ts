import { collisionKey, numberedName, portableName } from '../core/naming.ts'

/**
 * Gives each file in an archive a unique path, relative and with names that every system can have. Names that differ only in case
 * or Unicode normalisation would overwrite each other on some systems.
 */
export function zipNamer(): (given: string) => string {
  const taken = new Set<string>()
  /** Where to continue for a path that was wanted before: counting from the start each time would be quadratic. */
  const numbers = new Map<string, number>()
  return (given) => {
    const folders = given.split('/').map(portableName)
    const name = folders.pop() ?? ''
    const nth = (n: number) => [...folders, numberedName(name, n)].join('/')
    const wanted = collisionKey(nth(1))
    let n = numbers.get(wanted) ?? 1
    while (taken.has(collisionKey(nth(n)))) n += 1
    numbers.set(wanted, n + 1)
    taken.add(collisionKey(nth(n)))
    return nth(n)
  }
}
