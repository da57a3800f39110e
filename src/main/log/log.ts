import { writeSync } from 'node:fs'
import process from 'node:process'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import { jsonText } from '../../shared/text/safe-characters.ts'
import { createRedactor } from './redactor.ts'
import { openRotatingFile } from './rotating-file.ts'

/** In the data folder. */
export const LOGS_FOLDER = 'logs'
export const LOG_FILE_BYTES = 2 * 1024 * 1024
const LOG_FILES = 5

/** The least important first. */
const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof LEVELS)[number]

/** Where lines go. `lines` hands each finished line, with its line end, to a function. */
type LogTarget =
  | { kind: 'stderr' }
  | { kind: 'file'; folder: string; maxBytes?: number; maxFiles?: number }
  | { kind: 'lines'; write: (line: string) => void }

export interface LogOptions {
  target: LogTarget
  clock: Pick<Clock, 'nowMs'>
  level?: LogLevel
  /** One short line for a person instead of JSON; default: when stderr is a terminal. */
  human?: boolean
}

export interface Log extends Logger {
  /** This exact text never appears in a line from now on. Call it for each key as soon as it is read. */
  hideSecret(secret: string): void
  setLevel(level: LogLevel): void
  close(): void
}

/** Every message and fact passes the redactor. A line that cannot be written is dropped. */
export function openLog({ target, clock, level = 'info', human }: LogOptions): Log {
  const redactor = createRedactor()
  const sink = openSink(target)
  const forPeople = human ?? (target.kind === 'stderr' && process.stderr.isTTY === true)
  let least = LEVELS.indexOf(level)
  const at =
    (chosen: LogLevel) =>
    (message: string, facts: Record<string, unknown> = {}): void => {
      if (LEVELS.indexOf(chosen) < least) return
      const safe = Object.entries(facts).map(([name, value]) => [name, redactor.fact(name, value)] as const)
      const line: LogLine = {
        level: chosen,
        time: new Date(clock.nowMs()).toISOString(),
        message: redactor.text(message),
        ...(safe.length === 0 ? {} : { facts: Object.fromEntries(safe) }),
      }
      sink.write(redactor.line(forPeople ? humanLine(line) : `${jsonText(line)}\n`))
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    hideSecret: (secret) => redactor.hide(secret),
    setLevel: (chosen) => {
      least = LEVELS.indexOf(chosen)
    },
    close: () => sink.close(),
  }
}

function openSink(target: LogTarget): { write: (line: string) => void; close: () => void } {
  switch (target.kind) {
    case 'lines':
      return { write: target.write, close: () => {} }
    case 'file': {
      const { folder, maxBytes = LOG_FILE_BYTES, maxFiles = LOG_FILES } = target
      return openRotatingFile({ folder, name: 'hangar', maxBytes, maxFiles })
    }
    case 'stderr':
      return { write: writeToStderr, close: () => {} }
  }
}

/** Synchronous, so that the last line before an exit is not lost. */
function writeToStderr(line: string): void {
  try {
    writeSync(2, line)
  } catch {
    // EPIPE or EAGAIN: dropped.
  }
}

interface LogLine {
  level: LogLevel
  time: string
  message: string
  /** Under one name, so that no fact can pass for the time, the level or the message. */
  facts?: Record<string, unknown>
}

/** `12:34:56 warn  message  name=value`, without characters that could steer a terminal. */
function humanLine({ time, level, message, facts }: LogLine): string {
  const tail = Object.entries(facts ?? {}).map(([name, value]) => `  ${name}=${JSON.stringify(value)}`)
  return `${plain(`${time.slice(11, 19)} ${level.padEnd(5)} ${message}${tail.join('')}`)}\n`
}

/** Control and bidirectional characters become visible instead of active. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, '\ufffd')
}
