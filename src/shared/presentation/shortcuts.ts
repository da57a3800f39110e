/** The places of the window in their order; their addresses (`#/jobs`, `--show jobs`) have the same names. */
export const PLACES = ['jobs', 'folders', 'credits', 'chargers', 'settings'] as const

export type PlaceName = (typeof PLACES)[number]

/** By where they work, in the order in which the window lists them. `mod` is Command on an Apple keyboard, else Control. */
export const SHORTCUTS = {
  everywhere: {
    palette: ['mod+k'],
    jobs: ['mod+1'],
    folders: ['mod+2'],
    credits: ['mod+3'],
    chargers: ['mod+4'],
    settings: ['mod+,', 'mod+5'],
    search: ['mod+f'],
    paste: ['mod+v'],
    undo: ['mod+z'],
    back: ['esc'],
    // F1 as well, because “?” types a character in a text field.
    shortcuts: ['?', 'f1'],
  },
  inJobs: { step: ['j', 'k'], review: ['r'], open: ['enter', 'space'], all: ['mod+a'], remove: ['delete'] },
  onStage: { approve: ['a'], edit: ['e'], copy: ['c'], decorative: ['d'], info: ['i'] },
} as const

/** The keys that show a place. */
export const placeKeys = (place: PlaceName): string => SHORTCUTS.everywhere[place][0]
