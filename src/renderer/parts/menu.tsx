import { cloneElement, lazy, Suspense, useState, type MouseEvent } from 'react'
import type { MenuItem, MenuProps } from './menu-behind-button.tsx'

const MenuBehindButton = lazy(() => import('./menu-behind-button.tsx'))
const MenuAt = lazy(async () => ({ default: (await import('./menu-behind-button.tsx')).MenuAt }))

const OPENING_KEYS = ['Enter', ' ', 'ArrowDown']

/**
 * A menu that opens from its child. The menu component is not part of the first load: it is fetched when the first such button
 * renders, and the button can already be focused and pressed. A press counts from its beginning, as with the loaded component,
 * which may take the button's place before the press ends.
 */
export function Menu({ children, ...menu }: MenuProps) {
  const [press, setPress] = useState<'keydown' | 'pointerdown' | null>(null)
  const button = cloneElement(children, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerDown: (event) => {
      if (event.button !== 0 || event.ctrlKey || children.props.disabled === true) return
      setPress('pointerdown')
      event.preventDefault()
    },
    onKeyDown: (event) => {
      if (!OPENING_KEYS.includes(event.key)) return
      setPress('keydown')
      event.preventDefault()
    },
    // Without a pointer or a key, as assistive technology may press it.
    onClick: () => setPress((before) => before ?? 'pointerdown'),
  })
  return (
    <Suspense fallback={button}>
      <MenuBehindButton {...menu} press={press}>
        {children}
      </MenuBehindButton>
    </Suspense>
  )
}

/** A menu by a right click on an element, or the key for it: its handler, and what is shown meanwhile. */
export function useContextMenu(items: readonly (MenuItem | null)[]) {
  const [at, setAt] = useState<{ x: number; y: number; byKey: boolean } | null>(null)
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault()
    setAt({ x: event.clientX, y: event.clientY, byKey: event.button !== 2 })
  }
  const menu =
    at === null ? null : (
      <Suspense fallback={null}>
        <MenuAt {...at} items={items} onClose={() => setAt(null)} />
      </Suspense>
    )
  return { onContextMenu, menu }
}
