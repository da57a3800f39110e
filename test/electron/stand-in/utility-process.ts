import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { ForkOptions, UtilityProcess as Real } from 'electron'
import { record } from './record.ts'
import { readiness } from './session.ts'

/** A utility process: a real process that has `process.parentPort` and no `process.send`. */
class UtilityProcess extends EventEmitter implements Pick<Real, 'postMessage' | 'kill' | 'pid'> {
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    super()
    this.#child = child
    child.on('message', (message) => this.emit('message', message))
    child.once('spawn', () => this.emit('spawn'))
    child.once('exit', (code) => this.emit('exit', code ?? 0))
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }

  postMessage(message: unknown): void {
    this.#child.send(message as object, () => undefined)
  }

  kill(): boolean {
    return this.#child.kill('SIGTERM')
  }
}

export const utilityProcess = {
  fork(modulePath: string, args: string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!readiness.isReady) throw new Error('utilityProcess cannot be created before app is ready.')
    record('utilityProcess.fork', { modulePath, serviceName: options.serviceName, env: Object.keys(options.env ?? {}) })
    const shim = new URL('./parent-port.ts', import.meta.url).href
    const child = fork(modulePath, args, {
      env: options.env as NodeJS.ProcessEnv,
      execArgv: ['--import', shim],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    return new UtilityProcess(child)
  },
}
