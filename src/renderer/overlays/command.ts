/** Something the palette can do. */
export interface Command {
  id: string
  label: string
  /** Said in small type after the label; found by a search too. */
  more?: string
  /** As `matchesKeys` reads them. */
  keys?: string
  run: () => void
}

export type GroupName = 'places' | 'actions' | 'recipes' | 'folders' | 'settings' | 'appearance'
