import { createInterface } from 'node:readline/promises'
import process from 'node:process'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { forTerminal, type Terminal } from './terminal.ts'

/** Longer than any key; limits an endless stream. */
const MAX_BYTES = 64 * 1024

/** On stderr, because stdout is for data. False for anything but a yes, and when `signal` aborts. */
export async function askYesNo(question: string, signal: AbortSignal): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, signal)
  return /^\s*(y|yes)\s*$/i.test(answer ?? '')
}

/** Whether `--yes` was given or a person at a terminal agrees. Where nobody can be asked, says after `unasked` how to agree. */
export async function mayChange(
  terminal: Terminal,
  { yes }: { yes?: boolean },
  question: string,
  unasked = '',
): Promise<boolean> {
  if (yes === true) return true
  if (terminal.isJson || !terminal.inIsTty || !terminal.errIsTty) {
    terminal.err(`${unasked}Nothing was changed: run again with --yes.`)
    return false
  }
  return askYesNo(question, new AbortController().signal)
}

async function askLine(question: string, signal: AbortSignal): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl+C stops the command, not just the question.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await lines.question(forTerminal(question), { signal })
  } catch {
    return null
  } finally {
    lines.close()
  }
}

/** From a pipe or file, or from a terminal without echo; never from an argument. */
export async function readSecret(prompt: string): Promise<string> {
  return process.stdin.isTTY ? readHidden(prompt) : readAll()
}

async function readAll(): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_BYTES) throw new AppError('bad_request', say('key_input_too_long'))
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readHidden(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(forTerminal(prompt))
  stdin.setRawMode(true)
  stdin.resume()
  stdin.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let text = ''
    const end = (finish: () => void) => {
      stdin.setRawMode(false)
      stdin.pause()
      stdin.off('data', read)
      stderr.write('\n')
      finish()
    }
    const read = (typed: string) => {
      for (const character of typed) {
        if (character === '\r' || character === '\n' || character === '\u0004') return end(() => resolve(text))
        if (character === '\u0003') return end(() => reject(new AppError('aborted', say('nothing_changed'))))
        if (character === '\u007f' || character === '\b') text = text.slice(0, -1)
        else if (character >= ' ') text += character
      }
    }
    stdin.on('data', read)
  })
}
