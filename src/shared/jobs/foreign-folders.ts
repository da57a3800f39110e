/** What folders of other programs hold. What is in a `system` folder no person put there, so it is not even mentioned. */
export type ForeignKind = 'bin' | 'snapshot' | 'library' | 'packages' | 'system'

interface ForeignFolders {
  kind: ForeignKind
  /** Whole names, in lower case. */
  names?: readonly string[]
  starts?: readonly string[]
  ends?: readonly string[]
}

/** Folders whose pictures are no person's own files. Compared without case; none begins with a dot, as no hidden folder is entered. */
const FOREIGN_FOLDERS: readonly ForeignFolders[] = [
  // Windows; NTFS drives of Windows NT to XP. `Recycled` of FAT drives is a word that people use too.
  { kind: 'bin', names: ['$recycle.bin', 'recycler'] },
  { kind: 'system', names: ['system volume information', '$extend', '$winreagent', '$windows.~bt', '$windows.~ws'] },
  // macOS and classic Mac OS, on shares and drives that it wrote to; archives that it made.
  { kind: 'bin', names: ['network trash folder'] },
  { kind: 'snapshot', names: ['backups.backupdb'], ends: ['.backupbundle', '.sparsebundle'] },
  {
    kind: 'system',
    names: ['temporary items', 'thevolumesettingsfolder', 'thefindbycontentfolder', '__macosx', 'lost+found'],
  },
  // Apple's programs keep these folders as databases and show each as one file.
  {
    kind: 'library',
    names: ['iphoto library', 'photo booth library'],
    ends: [
      '.photoslibrary',
      '.photolibrary',
      '.migratedphotolibrary',
      '.aplibrary',
      '.migratedaplibrary',
      '.tvlibrary',
      '.musiclibrary',
      '.imovielibrary',
      '.theater',
      '.fcpbundle',
      '.fcpcache',
      '.rtfd',
      '.pages',
      '.numbers',
      '.key',
    ],
  },
  // Adobe Lightroom: previews, smart previews and synced originals beside a catalogue; its cloud version's library.
  { kind: 'library', ends: ['.lrdata', '.lrcat-data', '.lrlibrary'] },
  // Capture One's catalogues.
  { kind: 'library', ends: ['.cocatalog'] },
  // Jellyfin's preview tiles of films.
  { kind: 'system', ends: ['.trickplay'] },
  // Synology DSM.
  { kind: 'bin', names: ['#recycle'] },
  { kind: 'snapshot', names: ['#snapshot', '@sharesnap'] },
  { kind: 'system', names: ['@eadir', '@tmp', '@sharebin'], starts: ['@syno'] },
  // QNAP QTS.
  { kind: 'bin', names: ['@recycle'] },
  { kind: 'snapshot', names: ['@recently-snapshot'] },
  // NetApp and others over SMB, where `.snapshot` has this name; Samba's previous versions.
  { kind: 'snapshot', names: ['~snapshot'], starts: ['@gmt-'] },
  // A Nextcloud server's data folder.
  { kind: 'bin', names: ['files_trashbin'] },
  { kind: 'snapshot', names: ['files_versions'] },
  { kind: 'system', starts: ['appdata_oc'] },
  // Packages that a project was given by npm or Bower.
  { kind: 'packages', names: ['node_modules', 'bower_components'] },
]

/** What a folder of this base name holds if it is another program's; null for a person's own. */
export function foreignFolder(name: string): ForeignKind | null {
  const key = name.toLowerCase()
  const isOne = ({ names, starts, ends }: ForeignFolders) =>
    names?.includes(key) === true ||
    starts?.some((start) => key.startsWith(start)) === true ||
    ends?.some((end) => key.endsWith(end) && key.length > end.length) === true
  return FOREIGN_FOLDERS.find(isOne)?.kind ?? null
}

/** The outermost library on the way to a path, by its base name; null if there is none. */
export function libraryOn(path: string): string | null {
  return path.split(/[/\\]/).find((name) => foreignFolder(name) === 'library') ?? null
}
