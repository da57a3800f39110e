import { describe, expect, it } from 'vitest'
import { networkFileSystem } from '../../src/main/core/filesystem-kind.ts'

describe('what kind of file system a folder is on', () => {
  it.each([
    [0x6969, 'NFS'],
    [0x786f4256, 'VirtualBox'],
    [0x7c7c6673, 'Parallels'],
    // As `statfs` gives it where numbers have a sign.
    [0xfe534d42 - 2 ** 32, 'SMB2'],
    [0xef53, null],
    [0, null],
  ])('by number: %i is %s', (type, name) => expect(networkFileSystem(type)).toBe(name))
})
