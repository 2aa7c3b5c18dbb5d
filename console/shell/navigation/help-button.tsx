import { Sidebar, useSidebar } from '@cloudflare/kumo/components/sidebar'
import { LifebuoyIcon } from '@phosphor-icons/react'
import { text } from '../../text/en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { appDialog } from '../app-dialog.ts'

/** Opens the help dialog from the navigation. On a narrow window it first closes the navigation, which covers the page. */
export function HelpItem() {
  const { setOpenMobile } = useSidebar()
  const open = () => {
    setOpenMobile(false)
    appDialog.show('help')
  }
  return (
    <Sidebar.MenuItem>
      <Sidebar.MenuButton icon={LifebuoyIcon} data-tip={text.nav.help} onClick={open}>
        {text.nav.help}
      </Sidebar.MenuButton>
    </Sidebar.MenuItem>
  )
}

/** Opens the help dialog from the bar of a narrow window, where the navigation is closed. */
export function HelpIconButton() {
  return (
    <Button
      variant="ghost"
      shape="square"
      size="lg"
      aria-label={text.nav.help}
      icon={<LifebuoyIcon className="size-5" />}
      onClick={() => appDialog.show('help')}
    />
  )
}
