/**
 * File systems that live on another computer, or outside of this virtual one, with their magic numbers on Linux
 * (`statfs(2)`, linux/magic.h, `stat` of GNU coreutils) and the names that its list of mounts gives them. FUSE may hide one.
 */
const NETWORK: readonly { name: string; magic: readonly number[]; types: readonly string[] }[] = [
  { name: 'NFS', magic: [0x6969], types: ['nfs', 'nfs4'] },
  { name: 'CIFS', magic: [0xff534d42], types: ['cifs'] },
  { name: 'SMB2', magic: [0xfe534d42], types: ['smb3'] },
  { name: 'SMB', magic: [0x517b], types: ['smbfs'] },
  // The drives of Windows in its subsystem for Linux, and shared folders of QEMU.
  { name: '9P', magic: [0x01021997], types: ['9p', 'drvfs'] },
  // QEMU's newer shared folders have FUSE's number.
  { name: 'FUSE', magic: [0x65735546], types: ['fuse', 'fuseblk', 'virtiofs'] },
  { name: 'VirtualBox', magic: [0x786f4256], types: ['vboxsf'] },
  { name: 'Parallels', magic: [0x7c7c6673], types: ['prl_fs'] },
  { name: 'VMware', magic: [0xbacbacbc], types: ['vmhgfs'] },
  { name: 'AFS', magic: [0x5346414f, 0x6b414653], types: ['afs'] },
  { name: 'Ceph', magic: [0x00c36400], types: ['ceph'] },
  { name: 'Coda', magic: [0x73757245], types: ['coda'] },
  { name: 'NCP', magic: [0x564c], types: ['ncpfs'] },
  { name: 'Lustre', magic: [0x0bd00bd0], types: ['lustre'] },
  { name: 'GFS2', magic: [0x01161970], types: ['gfs2'] },
  { name: 'OCFS2', magic: [0x7461636f], types: ['ocfs2'] },
  { name: 'GPFS', magic: [0x47504653], types: ['gpfs'] },
  { name: 'BeeGFS', magic: [0x19830326], types: ['beegfs'] },
  { name: 'PanFS', magic: [0xaad7aaea], types: ['panfs'] },
]

/**
 * The name of the network file system (or FUSE) with this `statfs` type, on which change events and file
 * locks are unreliable; null for a local one, and on systems other than Linux, which do not report such a type.
 */
export function networkFileSystem(statfsType: number): string | null {
  return NETWORK.find(({ magic }) => magic.includes(statfsType >>> 0))?.name ?? null
}

/** A place where another file system begins. */
export interface Mount {
  path: string
  /** The name of its network file system; null for a local one. */
  network: string | null
}

/** Every mount in the text of `/proc/self/mountinfo` (proc_pid_mountinfo(5)). */
export function mountsIn(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ')
    const [path, type] = [before.split(' ')[4], after.split(' ')[0]]
    if (path === undefined || type === undefined) return []
    // Such as fuse.sshfs.
    const family = type.replace(/^fuse\..*$/, 'fuse')
    return [{ path: unescaped(path), network: NETWORK.find(({ types }) => types.includes(family))?.name ?? null }]
  })
}

/** Blanks, line breaks and backslashes are octal there; the bytes of other characters are as they are. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
