import { cloneElement, lazy, Suspense, useRef, useState } from 'react'
import type { MenuProps } from './menu-behind-button.tsx'

const MenuBehindButton = lazy(() => import('./menu-behind-button.tsx'))

/**
 * A menu that opens from its child. The menu component is not part of the first load: it is fetched when the first such button
 * renders, and the button can already be focused and pressed.
 */
export function Menu({ items, children }: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  const hadFocus = useRef(false)
  const button = cloneElement(children, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onFocus: () => (hadFocus.current = true),
    onBlur: () => (hadFocus.current = false),
  })
  return (
    <Suspense fallback={button}>
      <MenuBehindButton items={items} isOpenAtOnce={isWanted} hadFocus={hadFocus}>
        {children}
      </MenuBehindButton>
    </Suspense>
  )
}
