/** Node for macOS from a folder: that of the archive that Node's project publishes, unpacked. */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'
import { isCurrent, MIN_NODE } from '../install-packages.mjs'

const MACH_O_64 = 0xfeedfacf
const CPU = { arm64: 0x0100000c, x64: 0x01000007 }

/** Its program and its licence. Throws what is wrong with the folder; nothing of it is run, so that any system can look. */
export function macNode(folder, cpu) {
  const [program, licence, header] = ['bin/node', 'LICENSE', 'include/node/node_version.h'].map((name) =>
    path.join(folder, name),
  )
  const missing = [program, licence, header].filter((file) => !existsSync(file))
  if (missing.length > 0)
    throw new Error(`That is no folder of a Node that was unpacked. It lacks: ${missing.join(', ')}.`)
  if (!isForMac(program, cpu)) throw new Error(`${program} is not a program for macOS on ${cpu}.`)
  const text = readFileSync(header, 'utf8')
  const version = ['MAJOR', 'MINOR', 'PATCH'].map((part) =>
    Number(new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text)?.[1]),
  )
  if (!isCurrent(version)) throw new Error(`Hangar needs Node ${MIN_NODE.join('.')}; that is ${version.join('.')}.`)
  return { program, licence }
}

function isForMac(file, cpu) {
  const [start, descriptor] = [Buffer.alloc(8), openSync(file, 'r')]
  readSync(descriptor, start)
  closeSync(descriptor)
  return start.readUInt32LE(0) === MACH_O_64 && start.readUInt32LE(4) === CPU[cpu]
}
