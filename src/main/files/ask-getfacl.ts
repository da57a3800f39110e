import { spawn, type ChildProcess } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** `getfacl -` reads names and answers each at once, unless its output is buffered. */
const COMMAND = ['-oL', 'getfacl', '--numeric', '--absolute-names', '-'] as const
/** Asked for after the files of a question: once it is answered, what has no answer by then gets none. */
const LAST = '/'
const IDLE_MS = 10_000
const PATIENCE_MS = 10_000

/** One that answers many questions, as starting a program for each picture takes longer than writing its results. */
class Getfacl {
  hasAnswered = false
  readonly #child: ChildProcess
  #output = ''
  #answer: (output: string | null) => void = () => undefined
  #hasEnded = false

  constructor() {
    this.#child = spawn('stdbuf', COMMAND, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    })
    this.#child.on('error', () => this.#stop()).on('close', () => this.#stop())
    this.#child.stdin!.on('error', () => this.#stop())
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text
      if (blocks(this.#output).has(LAST)) this.#answer(this.#output)
    })
  }

  async ask(paths: readonly string[]): Promise<string | null> {
    if (this.#hasEnded) return null
    this.#holdProcess(true)
    const timer = setTimeout(() => this.#stop(), PATIENCE_MS)
    const output = await new Promise<string | null>((resolve) => {
      this.#output = ''
      this.#answer = resolve
      this.#child.stdin!.write(`${[...paths, LAST].join('\n')}\n`)
    })
    clearTimeout(timer)
    this.#holdProcess(false)
    this.hasAnswered ||= output !== null
    return output
  }

  /** An idle one keeps nothing running; it ends with this process, as its input does. */
  #holdProcess(isHeld: boolean): void {
    for (const part of [this.#child, this.#child.stdin as Socket, this.#child.stdout as unknown as Socket])
      if (isHeld) part.ref()
      else part.unref()
  }

  #stop(): void {
    this.#hasEnded = true
    this.#answer(null)
    this.#child.kill('SIGKILL')
  }

  end(): void {
    this.#hasEnded = true
    this.#child.stdin!.end()
  }
}

let running: Getfacl | null = null
let isMissing = false
let idle: NodeJS.Timeout | undefined
let previous: Promise<unknown> = Promise.resolve()

/** What `getfacl` prints about each of the open files; null where that cannot be had in this way. Linux only. */
export function askGetfacl(files: readonly FileHandle[]): Promise<string[] | null> {
  const answer = previous.then(() => ask(files))
  previous = answer.catch(() => undefined)
  return answer
}

async function ask(files: readonly FileHandle[]): Promise<string[] | null> {
  if (isMissing) return null
  clearTimeout(idle)
  const asked = (running ??= new Getfacl())
  const paths = files.map(({ fd }) => `/proc/${process.pid}/fd/${fd}`)
  const output = await asked.ask(paths)
  if (output === null) {
    running = null
    isMissing = !asked.hasAnswered
    return null
  }
  idle = setTimeout(() => {
    asked.end()
    running = null
  }, IDLE_MS).unref()
  const found = blocks(output)
  const lists = paths.flatMap((path) => found.get(path) ?? [])
  return lists.length === paths.length ? lists : null
}

/** By the names that were asked for. */
function blocks(output: string): Map<string, string> {
  const whole = output.split('\n\n').slice(0, -1)
  return new Map(
    whole.map((block) => {
      const [first = '', ...lines] = block.trimStart().split('\n')
      return [first.replace('# file: ', ''), lines.join('\n')]
    }),
  )
}
