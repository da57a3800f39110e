import { DropdownMenu } from 'radix-ui'
import { useEffect, useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react'
import { useFloor } from './floor.ts'

export interface MenuItem {
  label: ReactNode
  onSelect: () => void
  icon?: ReactNode
  disabled?: boolean
  danger?: boolean
}

export interface MenuProps {
  /** Null is a separator. */
  items: readonly (MenuItem | null)[]
  /** Which edge it shares with the button; default `end`. */
  align?: 'start' | 'end'
  /** The button that opens it. */
  children: ReactElement<React.ButtonHTMLAttributes<HTMLButtonElement>>
}

interface LoadedMenuProps extends MenuProps {
  /** How the button was pressed before this component had loaded. */
  press: 'keydown' | 'pointerdown' | null
  /** It had the keyboard before this component took its place. */
  hadFocus: boolean
}

export default function MenuBehindButton({ items, align = 'end', children, press, hadFocus }: LoadedMenuProps) {
  const floor = useFloor()
  const trigger = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (hadFocus) trigger.current?.focus()
  }, [hadFocus])
  // Repeated, so that the menu opens as it does for any such press: by a key, with its first item focused.
  useEffect(() => {
    if (press === 'keydown') trigger.current?.dispatchEvent(new KeyboardEvent(press, { key: 'Enter', bubbles: true }))
    else if (press !== null) trigger.current?.dispatchEvent(new PointerEvent(press, { bubbles: true }))
  }, [press])
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild ref={trigger}>
        {children}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={floor}>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {items.map((item, n) =>
            item === null ? (
              <DropdownMenu.Separator key={n} className="menu-line" />
            ) : (
              <DropdownMenu.Item
                key={n}
                className={item.danger === true ? 'menu-item danger' : 'menu-item'}
                disabled={item.disabled ?? false}
                onSelect={item.onSelect}
              >
                {item.icon}
                {item.label}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
