import { DropdownMenu } from '@cloudflare/kumo/components/dropdown'
import {
  CaretUpDownIcon,
  type Icon,
  DesktopIcon,
  MoonIcon,
  SignOutIcon,
  SunIcon,
} from '@phosphor-icons/react'
import { useState } from 'react'
import { signOut } from '../api/session.ts'
import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../routes.ts'
import { text } from '../text/en.ts'
import { clearDrafts } from './drafts.ts'
import { chooseTheme, readThemeChoice, type ThemeChoice } from './theme.ts'

const THEMES: { value: ThemeChoice; icon: Icon }[] = [
  { value: 'system', icon: DesktopIcon },
  { value: 'light', icon: SunIcon },
  { value: 'dark', icon: MoonIcon },
]

/** Who is signed in, the theme, and the way out. */
export function AccountMenu({
  me,
  user,
  folded,
}: {
  me: Me
  user: NonNullable<Me['user']>
  folded: boolean
}) {
  const [theme, setTheme] = useState(readThemeChoice)
  const leave = async () => {
    await signOut()
    clearDrafts()
    location.assign(href.signIn())
  }
  return (
    <DropdownMenu>
      <DropdownMenu.Trigger
        render={
          <button
            type="button"
            className="flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 rounded-lg p-1.5 text-left hover:bg-kumo-tint"
          />
        }
      >
        <span
          className="grid size-7 shrink-0 place-items-center rounded-full bg-deep text-xs font-semibold text-white"
          aria-hidden="true"
        >
          {initials(user.name)}
        </span>
        <span className="sr-only">
          {text.nav.account}: {folded && user.name}
        </span>
        {!folded && (
          <>
            <span className="min-w-0 flex-1 leading-tight">
              <span className="block truncate font-medium text-kumo-strong">{user.name}</span>
              <span className="block truncate text-xs text-kumo-subtle">{me.organization.name}</span>
            </span>
            <CaretUpDownIcon className="shrink-0 text-kumo-subtle" aria-hidden="true" />
          </>
        )}
      </DropdownMenu.Trigger>
      <DropdownMenu.Content className="min-w-56">
        <DropdownMenu.Group>
          <DropdownMenu.Label>{user.email}</DropdownMenu.Label>
        </DropdownMenu.Group>
        <DropdownMenu.Separator />
        <DropdownMenu.Group>
          <DropdownMenu.Label>{text.nav.theme}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={theme}
            onValueChange={(value: ThemeChoice) => {
              setTheme(value)
              chooseTheme(value)
            }}
          >
            {THEMES.map(({ value, icon }) => (
              <DropdownMenu.RadioItem key={value} value={value} icon={icon}>
                {text.nav.themes[value]}
                <DropdownMenu.RadioItemIndicator />
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Group>
        <DropdownMenu.Separator />
        <DropdownMenu.Item icon={SignOutIcon} onClick={() => void leave()}>
          {text.nav.signOut}
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu>
  )
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => (word ?? '').charAt(0).toUpperCase())
    .join('')
}
