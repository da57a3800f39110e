import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How far a picture looks from its original; 0 is the same. */
export interface Distances {
  ssimulacra: number
  /** The 3-norm. */
  butteraugli: number
}

/** Of two PNG files, by the tools of Debian's libjxl-devtools. */
export async function distances(original: string, decoded: string): Promise<Distances> {
  const first = await run('ssimulacra_main', [original, decoded])
  const second = await run('butteraugli_main', [original, decoded, '--pnorm', '3'])
  const norm = /3-norm: ([\d.]+)/.exec(second.stdout + second.stderr)?.[1]
  return { ssimulacra: Number(first.stdout), butteraugli: Number(norm) }
}
