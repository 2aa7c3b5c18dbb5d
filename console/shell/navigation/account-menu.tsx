import { DropdownMenu } from '@cloudflare/kumo/components/dropdown'
import {
  BuildingsIcon,
  ChatsIcon,
  type Icon,
  DesktopIcon,
  LifebuoyIcon,
  MoonIcon,
  SignOutIcon,
  SunIcon,
  UserCircleIcon,
} from '@phosphor-icons/react'
import { lazy, Suspense, useState } from 'react'
import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { helpText } from '../../text/help.en.ts'
import { organizationsText } from '../../text/organizations.en.ts'
import { appDialog } from '../app-dialog.ts'
import { leaveConsole } from '../leave-console.ts'
import { ACCOUNT_BUTTON, AccountAvatar } from './account-avatar.tsx'
import { chooseTheme, readThemeChoice, type ThemeChoice } from '../theme.ts'

const NewOrganizationDialog = lazy(() =>
  import('../organizations/new-organization-dialog.tsx').then((module) => ({
    default: module.NewOrganizationDialog,
  })),
)

const THEME_CHOICES: { value: ThemeChoice; icon: Icon }[] = [
  { value: 'system', icon: DesktopIcon },
  { value: 'light', icon: SunIcon },
  { value: 'dark', icon: MoonIcon },
]

interface AccountMenuProps {
  user: NonNullable<Me['user']>
  folded: boolean
  startsOpen: boolean
}

/**
 * The menu of the user: account, theme, help, a new organization and signing out. `startsOpen` is true when the user pressed the
 * placeholder before the menu was loaded.
 */
export function AccountMenu({ user, folded, startsOpen }: AccountMenuProps) {
  const [theme, setTheme] = useState(readThemeChoice)
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      {/* The command palette and another tab may have changed the theme since the menu was open last. */}
      <DropdownMenu defaultOpen={startsOpen} onOpenChange={() => setTheme(readThemeChoice())}>
        <DropdownMenu.Trigger render={<button type="button" className={ACCOUNT_BUTTON} />}>
          <AccountAvatar user={user} folded={folded} />
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
              {THEME_CHOICES.map(({ value, icon }) => (
                <DropdownMenu.RadioItem key={value} value={value} icon={icon}>
                  {text.nav.themes[value]}
                  <DropdownMenu.RadioItemIndicator />
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          </DropdownMenu.Group>
          <DropdownMenu.Separator />
          <DropdownMenu.Group>
            <DropdownMenu.Label>{helpText.title}</DropdownMenu.Label>
            <DropdownMenu.Item icon={LifebuoyIcon} onClick={() => appDialog.show('help')}>
              {helpText.ask}
            </DropdownMenu.Item>
            <DropdownMenu.LinkItem href={href.help()} icon={ChatsIcon}>
              {helpText.mine}
            </DropdownMenu.LinkItem>
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
