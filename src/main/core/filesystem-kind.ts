/** File systems on another computer, or outside of this virtual one, with their numbers on Linux (`statfs(2)`). FUSE may hide one. */
const NETWORK: readonly { name: string; magic: readonly number[] }[] = [
  { name: 'NFS', magic: [0x6969] },
  { name: 'CIFS', magic: [0xff534d42] },
  { name: 'SMB2', magic: [0xfe534d42] },
  { name: 'SMB', magic: [0x517b] },
  // The drives of Windows in its subsystem for Linux, and shared folders of QEMU.
  { name: '9P', magic: [0x01021997] },
  // QEMU's newer shared folders have FUSE's number.
  { name: 'FUSE', magic: [0x65735546] },
  { name: 'VirtualBox', magic: [0x786f4256] },
  { name: 'Parallels', magic: [0x7c7c6673] },
  { name: 'VMware', magic: [0xbacbacbc] },
  { name: 'AFS', magic: [0x5346414f, 0x6b414653] },
  { name: 'Ceph', magic: [0x00c36400] },
  { name: 'Coda', magic: [0x73757245] },
  { name: 'NCP', magic: [0x564c] },
  { name: 'Lustre', magic: [0x0bd00bd0] },
  { name: 'GFS2', magic: [0x01161970] },
  { name: 'OCFS2', magic: [0x7461636f] },
  { name: 'GPFS', magic: [0x47504653] },
  { name: 'BeeGFS', magic: [0x19830326] },
  { name: 'PanFS', magic: [0xaad7aaea] },
]

/** The network file system of this `statfs` type, where change events and locks are unreliable; null if local, or not on Linux. */
export function networkFileSystem(statfsType: number): string | null {
  return NETWORK.find(({ magic }) => magic.includes(statfsType >>> 0))?.name ?? null
}
