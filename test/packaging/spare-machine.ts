import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { need, type Need } from '../needs.ts'

const UNSHARE = ['--mount', '--propagation', 'private', 'sh', '-ec']
/** All that is written lands in memory, and is gone when the last process in it has ended. */
const OVERLAY = `
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/top"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/top"`
const LAY_OUT = `${OVERLAY}
mount -t proc none "$1/top/proc"
mount --rbind /dev "$1/top/dev"
for own in run tmp; do mount -t tmpfs none "$1/top/$own"; done
mkdir -p "$1/top$2"
for place in /mnt "$2"; do mount --bind "$2" "$1/top$place"; done
echo ready
exec cat`

/** Why there can be none here; null where there can. */
export const NO_SPARE_MACHINE: Need = need(
  'root on Linux that may mount overlays',
  spawnSync('unshare', [...UNSHARE, OVERLAY, 'sh', '/mnt']).status === 0,
)

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** What ended as it should. */
export function well(ended: Ended): Ended {
  expect(ended, ended.stderr + ended.stdout).toMatchObject({ code: 0 })
  return ended
}

/** This machine as it is, to be changed as root without a trace. */
export interface SpareMachine {
  /** Runs a command with the environment of a fresh login, as root or as the user with this id. */
  run(command: string[], options?: { user?: number; home?: string }): Promise<Ended>
  /** The arguments of `nsenter` before a command that is to run there. */
  readonly enter: readonly string[]
  close(): Promise<void>
}

/** As `openSpareMachine`, until the test is over. */
export async function spareMachine(folder: string, shared: string): Promise<SpareMachine> {
  const machine = await openSpareMachine(folder, shared)
  onTestFinished(() => machine.close())
  return machine
}

/** `folder` is empty, and stays so; what is in `shared` is there in the same place and in `/mnt`. */
export async function openSpareMachine(folder: string, shared: string): Promise<SpareMachine> {
  const holder = spawn('unshare', [...UNSHARE, LAY_OUT, 'sh', folder, shared], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(holder, 'close')
  await Promise.race([once(holder.stdout, 'data'), ended])
  if (holder.exitCode !== null) throw new Error('The spare machine could not be made.')
  const enter = ['--target', String(holder.pid), '--mount', 'chroot', join(folder, 'top')]
  return {
    enter,
    async close() {
      holder.stdin.end()
      await ended
    },
    run: (command, { user, home = '/root' } = {}) => {
      const path = user === undefined ? '/usr/sbin:/usr/bin:/sbin:/bin' : '/usr/bin:/bin'
      const fresh = ['env', '-i', `HOME=${home}`, `PATH=${path}`, 'LC_ALL=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive']
      const as = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
      return new Promise((resolve) => {
        execFile('nsenter', [...enter, ...fresh, ...as, ...command], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        )
      })
    },
  }
}
