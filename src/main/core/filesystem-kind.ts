/** File system magic numbers of Linux (`statfs(2)`) for file systems that live on another computer. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x517b, 'SMB'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
])

/**
 * The name of the network file system (or FUSE, which may hide one) with this `statfs` type, on which change events and file
 * locks are unreliable; null for a local one, and on systems other than Linux, which do not report such a type.
 */
export function networkFileSystem(statfsType: number): string | null {
  return NETWORK.get(statfsType >>> 0) ?? null
}
