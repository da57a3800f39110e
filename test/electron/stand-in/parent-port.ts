/** In a child, before its own module: makes it a utility process, with a port in place of the channel of a forked one. */
import { EventEmitter } from 'node:events'
import process from 'node:process'

const send = process.send?.bind(process)
const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => send?.(message) })
// Listening keeps the process alive: a utility process ends only when it says so.
process.on('message', (message) => port.emit('message', { data: message, ports: [] }))
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
Object.defineProperty(process, 'parentPort', { value: port })
Object.defineProperty(process, 'send', { value: undefined })
