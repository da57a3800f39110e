import { collisionKey, portableName } from '../core/naming.ts'

/**
 * Gives each file in an archive a unique path, relative and with names that every system can have. Names that differ only in case
 * or Unicode normalisation would overwrite each other on some systems.
 */
export function zipNamer(): (given: string) => string {
  const taken = new Set<string>()
  return (given) => {
    const wanted = given.split('/').map(portableName).join('/')
    const dot = wanted.lastIndexOf('.') > wanted.lastIndexOf('/') + 1 ? wanted.lastIndexOf('.') : wanted.length
    let name = wanted
    for (let n = 2; taken.has(collisionKey(name)); n += 1) name = `${wanted.slice(0, dot)}-${n}${wanted.slice(dot)}`
    taken.add(collisionKey(name))
    return name
  }
}
