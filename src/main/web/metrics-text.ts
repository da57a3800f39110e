/** One measurement under one name; those with labels differ in their values. */
export interface Family {
  /** Without the prefix `hangar_`; its unit is a base unit, and a counter ends in `_total`. */
  name: string
  help: string
  type: 'counter' | 'gauge'
  samples: readonly Sample[]
}

interface Sample {
  labels?: Readonly<Record<string, string>>
  value: number
}

/** Prometheus' text format 0.0.4. What has no sample is left out. */
export function metricsText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const full = `hangar_${name}`
      const lines = samples.map(({ labels = {}, value }) => `${full}${labelsText(labels)} ${value}`)
      return [`# HELP ${full} ${escaped(help)}`, `# TYPE ${full} ${type}`, ...lines].map((line) => `${line}\n`).join('')
    })
    .join('')
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
