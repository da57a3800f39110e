/**
 * File systems that live on another computer, or outside of this virtual one, by their magic numbers on Linux (`statfs(2)`,
 * linux/magic.h, `stat` of GNU coreutils). FUSE may hide one.
 */
const NETWORK: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB2',
  0x517b: 'SMB',
  // The drives of Windows in its subsystem for Linux, and shared folders of QEMU.
  0x01021997: '9P',
  // QEMU's newer shared folders have FUSE's number.
  0x65735546: 'FUSE',
  0x786f4256: 'VirtualBox',
  0x7c7c6673: 'Parallels',
  0xbacbacbc: 'VMware',
  0x5346414f: 'AFS',
  0x6b414653: 'AFS',
  0x00c36400: 'Ceph',
  0x73757245: 'Coda',
  0x564c: 'NCP',
  0x0bd00bd0: 'Lustre',
  0x01161970: 'GFS2',
  0x7461636f: 'OCFS2',
  0x47504653: 'GPFS',
  0x19830326: 'BeeGFS',
  0xaad7aaea: 'PanFS',
}

/**
 * The name of the network file system (or FUSE) with this `statfs` type, on which change events and file
 * locks are unreliable; null for a local one, and on systems other than Linux, which do not report such a type.
 */
export function networkFileSystem(statfsType: number): string | null {
  return NETWORK[statfsType >>> 0] ?? null
}
