import { ChevronRight, Folder } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { t } from 'i18next'
import { straightText } from '../../shared/text/safe-characters.ts'
import type { Place, PlaceToken } from '../../shared/contract/places.ts'
import { typedAhead } from './path-steps.ts'

const TYPING_PAUSE_MS = 700
const PAGE = 10

/**
 * The folders in a folder: arrows move, Enter opens, Backspace goes up, letters jump; where there is none to open, Enter chooses the
 * folder itself. One stop for Tab. It is remounted for each folder (by its key), and starts at `startAt`, the folder a person came up from, or at the first.
 */
export function FolderList(given: {
  folders: readonly Place[]
  startAt: string | null
  onOpen: (token: PlaceToken) => void
  onUp: () => void
  onChoose: () => void
}) {
  const { folders, onOpen, onUp, onChoose } = given
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const jump = useTypedAhead(folders)
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      folders.findIndex(({ name }) => name === given.startAt),
    ),
  )

  useFocusOn(list, active)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace') onUp()
    else if (event.key === 'Enter') {
      const folder = folders[active]
      if (folder !== undefined) onOpen(folder.token)
      else if (!event.repeat) onChoose()
    } else {
      const moved =
        movedTo(event.key, active, folders.length) ??
        (event.key.length === 1 ? (jump(event.key, event.timeStamp, active) ?? active) : null)
      if (moved === null) return
      setActive(moved)
    }
    event.preventDefault()
  }

  return (
    <ul
      ref={list}
      className="browser-list"
      role="listbox"
      tabIndex={0}
      aria-label={t('common:places.folders')}
      aria-activedescendant={folders.length === 0 ? undefined : `${id}-${active}`}
      onKeyDown={onKeyDown}
    >
      {folders.map((folder, index) => (
        <FolderOption
          key={folder.token}
          id={`${id}-${index}`}
          folder={folder}
          isActive={index === active}
          onOpen={onOpen}
        />
      ))}
    </ul>
  )
}

function FolderOption({
  id,
  folder: { name, token },
  isActive,
  onOpen,
}: {
  id: string
  folder: Place
  isActive: boolean
  onOpen: (token: PlaceToken) => void
}) {
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      className="browser-folder"
      onClick={({ detail: press }) => {
        // The second press of a double click is meant for the folder of the first, not for the one shown there by then.
        if (press <= 1) onOpen(token)
      }}
    >
      <Folder size={16} aria-hidden />
      <bdi className="ellipsis" title={straightText(name)}>
        {straightText(name)}
      </bdi>
      <ChevronRight className="browser-into" size={14} aria-hidden />
    </li>
  )
}

/** The list takes the focus as it appears, and keeps the active folder in view. */
function useFocusOn(list: RefObject<HTMLUListElement | null>, active: number): void {
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [list, active])
  // Before it is painted: a key that is pressed as soon as it is seen belongs to it.
  useLayoutEffect(() => {
    list.current?.focus({ preventScroll: true })
  }, [list])
}

/** Where the letters that were typed in one go lead to, from `active` on; null if nowhere. */
function useTypedAhead(folders: readonly Place[]) {
  const typing = useRef({ text: '', atMs: 0 })
  return (key: string, nowMs: number, active: number): number | null => {
    const continues = nowMs - typing.current.atMs < TYPING_PAUSE_MS && typing.current.text !== key
    typing.current = { text: continues ? typing.current.text + key : key, atMs: nowMs }
    return typedAhead(
      folders.map(({ name }) => name),
      typing.current.text,
      active,
    )
  }
}

function movedTo(key: string, active: number, count: number): number | null {
  const last = Math.max(0, count - 1)
  switch (key) {
    case 'ArrowDown':
      return Math.min(active + 1, last)
    case 'ArrowUp':
      return Math.max(active - 1, 0)
    case 'PageDown':
      return Math.min(active + PAGE, last)
    case 'PageUp':
      return Math.max(active - PAGE, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}
