/** Gives each file of an archive a name of its own; names that differ in case only would overwrite each other on some computers. */
export function zipNamer(): (wanted: string) => string {
  const taken = new Set<string>()
  return (wanted) => {
    const dot = wanted.lastIndexOf('.') > wanted.lastIndexOf('/') + 1 ? wanted.lastIndexOf('.') : wanted.length
    let name = wanted
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${wanted.slice(0, dot)}-${n}${wanted.slice(dot)}`
    taken.add(name.toLowerCase())
    return name
  }
}
