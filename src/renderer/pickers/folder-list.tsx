import { ChevronRight, Folder } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
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
  const { t } = useTranslation('folders')
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const typing = useRef({ text: '', atMs: 0 })
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      folders.findIndex(({ name }) => name === given.startAt),
    ),
  )

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  useEffect(() => {
    list.current?.focus({ preventScroll: true })
  }, [])

  const typed = (key: string, nowMs: number): number => {
    const continues = nowMs - typing.current.atMs < TYPING_PAUSE_MS && typing.current.text !== key
    typing.current = { text: continues ? typing.current.text + key : key, atMs: nowMs }
    const names = folders.map(({ name }) => name)
    return typedAhead(names, typing.current.text, active) ?? active
  }

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
        (event.key.length === 1 ? typed(event.key, event.timeStamp) : null)
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
      aria-label={t('browser.list')}
      aria-activedescendant={folders.length === 0 ? undefined : `${id}-${active}`}
      onKeyDown={onKeyDown}
    >
      {folders.map((folder, index) => (
        <li
          key={folder.token}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="browser-folder"
          onClick={({ detail: press }) => {
            // The second press of a double click is meant for the folder of the first, not for the one shown there by
            // then.
            if (press <= 1) onOpen(folder.token)
          }}
        >
          <Folder size={16} aria-hidden />
          <bdi className="ellipsis" title={straightText(folder.name)}>
            {straightText(folder.name)}
          </bdi>
          <ChevronRight className="browser-into" size={14} aria-hidden />
        </li>
      ))}
    </ul>
  )
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
