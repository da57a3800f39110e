import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import process from 'node:process'
import { CLI, startPractice } from '../cli/harness.ts'

/** What `--json` said last about one picture. */
export interface Outcome {
  path: string
  state: string
  reason?: { code: string; detail: string | null }
  notes?: { code: string; detail: string | null }[]
  outputs?: { role: string; path: string; type: string; sizeBytes: number; sha256: string }[]
}

export interface Ran {
  /** By path. A picture that Hangar never spoke of is not in it. */
  outcomes: Map<string, Outcome>
  exitCode: number | null
  seconds: number
  /** What the command said to people, the end of it. */
  stderr: string
}

const MAX_WORDS = 20_000

/** Runs the real command over a folder, against a practice service without a limit of calls. */
export async function runHangar(
  folder: string,
  given: { dataDir: string; options: readonly string[]; onProgress: (begun: number) => void },
): Promise<Ran> {
  const { dataDir, options, onProgress } = given
  const practice = await startPractice({ jobTime: { kind: 'fixed', ms: 0 }, credits: 1_000_000_000 })
  try {
    const startedMs = performance.now()
    const args = ['run', folder, '--yes', '--json', '--data-dir', dataDir, '--requests-per-minute', '60000', ...options]
    const { PATH, HOME, TMPDIR } = process.env
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...practice.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const outcomes = new Map<string, Outcome>()
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-MAX_WORDS)))
    const lines = createInterface({ input: child.stdout })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    for await (const line of lines) {
      const said = JSON.parse(line) as { event: string } & Outcome
      if (said.event !== 'job') continue
      const isNew = !outcomes.has(said.path)
      outcomes.set(said.path, said)
      if (isNew) onProgress(outcomes.size)
    }
    const exitCode = await ended
    return { outcomes, exitCode, seconds: (performance.now() - startedMs) / 1000, stderr }
  } finally {
    await practice.stop()
  }
}
