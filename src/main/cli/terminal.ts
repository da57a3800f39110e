import process from 'node:process'
import { jsonText } from '../../shared/text/safe-characters.ts'

/** Results go to stdout, as lines or with `--json` as objects; everything else goes to `err`. */
export interface Terminal {
  isJson: boolean
  /** For people; `--json` leaves it out. Untrusted text is made safe here. */
  out(line: string): void
  err(line: string): void
  /** For programs; left out without `--json`. */
  json(value: unknown): void
  /** Data such as CSV, with its own line ends. */
  raw(text: string): void
  readonly inIsTty: boolean
  readonly errIsTty: boolean
  /** A progress bar: it hides before a line is written. */
  drawing: { hide(): void } | null
  flush(): Promise<void>
}

/** The streams of this process. A reader that went away (`| head`) is no error: what it no longer reads is dropped. */
export function processTerminal(): Terminal {
  const gone = new Set<NodeJS.WriteStream>()
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
      gone.add(stream)
    })
  const write = (stream: NodeJS.WriteStream, text: string) => {
    if (gone.has(stream)) return
    const isShared = stream.isTTY || stream === process.stderr
    if (isShared) terminal.drawing?.hide()
    stream.write(text)
  }
  const terminal: Terminal = {
    isJson: false,
    out: (line) => {
      if (!terminal.isJson) write(process.stdout, `${forTerminal(line)}\n`)
    },
    err: (line) => write(process.stderr, `${forTerminal(line)}\n`),
    json: (value) => {
      if (terminal.isJson) write(process.stdout, `${jsonText(value)}\n`)
    },
    raw: (text) => write(process.stdout, text),
    inIsTty: process.stdin.isTTY === true,
    errIsTty: process.stderr.isTTY === true,
    drawing: null,
    flush: async () => {
      await Promise.all([process.stdout, process.stderr].filter((stream) => !gone.has(stream)).map(flushed))
    },
  }
  return terminal
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('error', () => resolve())
    stream.write('', () => resolve())
  })
}

/** Characters that control a terminal or reorder text: control, bidirectional and line separators. */
const ACTIVE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Active characters become visible. */
export function forTerminal(text: string): string {
  return text.toWellFormed().replace(ACTIVE, '\ufffd')
}
