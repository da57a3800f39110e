import { describe, expect, it } from 'vitest'
import { mountsIn, networkFileSystem } from '../../src/main/core/filesystem-kind.ts'

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

  it('by the list of mounts, with blanks in paths', () => {
    const mountinfo = `22 27 0:21 / /proc rw,relatime - proc proc rw
40 27 0:50 / /media/My\\040Photos rw,nosuid shared:4 - fuse.sshfs nas:/photos rw
41 27 0:51 / /mnt/vm rw - vboxsf photos rw
`
    expect(mountsIn(mountinfo)).toEqual([
      { path: '/proc', network: null },
      { path: '/media/My Photos', network: 'FUSE' },
      { path: '/mnt/vm', network: 'VirtualBox' },
    ])
  })
})
