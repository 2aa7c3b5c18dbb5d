import { DropdownMenu } from '@cloudflare/kumo/components/dropdown'
import {
  BuildingsIcon,
  CaretUpDownIcon,
  type Icon,
  DesktopIcon,
  MoonIcon,
  SignOutIcon,
  SunIcon,
  UserCircleIcon,
} from '@phosphor-icons/react'
import { lazy, Suspense, useState } from 'react'
import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { organizationsText } from '../../text/organizations.en.ts'
import { leaveConsole } from '../leave-console.ts'
import { chooseTheme, readThemeChoice, type ThemeChoice } from '../theme.ts'

const NewOrganizationDialog = lazy(() =>
  import('../organizations/new-organization-dialog.tsx').then((module) => ({
    default: module.NewOrganizationDialog,
  })),
)

const THEMES: { value: ThemeChoice; icon: Icon }[] = [
  { value: 'system', icon: DesktopIcon },
  { value: 'light', icon: SunIcon },
  { value: 'dark', icon: MoonIcon },
]

/** Who is signed in, the theme, and the way out. */
export function AccountMenu({ user, folded }: { user: NonNullable<Me['user']>; folded: boolean }) {
  const [theme, setTheme] = useState(readThemeChoice)
  const [isCreating, setCreating] = useState(false)
  return (
    <>
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
                <span className="block truncate text-xs text-kumo-subtle">{user.email}</span>
              </span>
              <CaretUpDownIcon className="shrink-0 text-kumo-subtle" aria-hidden="true" />
            </>
          )}
        </DropdownMenu.Trigger>
        <DropdownMenu.Content className="min-w-56">
          <DropdownMenu.Group>
            <DropdownMenu.Label>{user.email}</DropdownMenu.Label>
            <DropdownMenu.LinkItem href={href.account()} icon={UserCircleIcon}>
              {text.nav.yourAccount}
            </DropdownMenu.LinkItem>
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
          <DropdownMenu.Item icon={BuildingsIcon} onClick={() => setCreating(true)}>
            {organizationsText.create}
          </DropdownMenu.Item>
          <DropdownMenu.Item icon={SignOutIcon} onClick={() => void leaveConsole()}>
            {text.nav.signOut}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu>
      {isCreating && (
        <Suspense fallback={null}>
          <NewOrganizationDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => (word ?? '').charAt(0).toUpperCase())
    .join('')
}
