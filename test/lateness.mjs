/**
 * Loaded before everything else (`--import`) where HANGAR_LATENESS is set, the seed: some file operations, requests, messages,
 * watch events and starts of processes come later than they would, each kind in its order. It finds what relies on things that
 * usually come first. A seed repeats the delays, not what meets whom.
 */
import childProcess from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import process from 'node:process'

const SHARE = 0.2
const MAX_MS = 30
const MAX_START_MS = 300
/** Tests that set the clock replace the timers of everybody else. */
const { setTimeout } = globalThis

let state = Number(process.env.HANGAR_LATENESS)

/** Between 0 and 1 (mulberry32). */
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const lateMs = () => (random() < SHARE ? 1 + random() * MAX_MS : 0)

/** Settles at once when nothing is late, so that most things come in their usual order. */
function pause() {
  const ms = lateMs()
  return ms === 0 ? null : new Promise((resolve) => setTimeout(resolve, ms))
}

function delayFiles() {
  for (const [name, act] of Object.entries(fs.promises)) {
    // These two return iterators.
    if (typeof act !== 'function' || name === 'watch' || name === 'glob') continue
    fs.promises[name] = async (...args) => {
      await pause()
      try {
        return await act(...args)
      } finally {
        await pause()
      }
    }
  }
}

/** Delays an event of all emitters of a class; what comes after it at the same emitter waits for it. */
function delayEvent(prototype, late) {
  const { emit } = prototype
  const waiting = new WeakMap()
  const flush = (emitter) => {
    const events = waiting.get(emitter) ?? []
    waiting.delete(emitter)
    for (const event of events) emit.apply(emitter, event)
  }
  prototype.emit = function emitLate(...event) {
    const queue = waiting.get(this)
    if (event[0] === late && queue !== undefined) return queue.push(event) > 0
    const ms = event[0] === late ? lateMs() : 0
    if (ms === 0) {
      flush(this)
      return emit.apply(this, event)
    }
    waiting.set(this, [event])
    setTimeout(() => flush(this), ms)
    return true
  }
}

if (Number.isInteger(state) && process.env.HANGAR_LATENESS !== undefined) {
  if (random() < SHARE) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, random() * MAX_START_MS)
  delayFiles()
  delayEvent(http.Server.prototype, 'request')
  delayEvent(childProcess.ChildProcess.prototype, 'message')
  const watcher = fs.watch(os.tmpdir())
  watcher.close()
  delayEvent(Object.getPrototypeOf(watcher), 'change')
  syncBuiltinESMExports()
}
