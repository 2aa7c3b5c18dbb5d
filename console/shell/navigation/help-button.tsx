import { Sidebar, useSidebar } from '@cloudflare/kumo/components/sidebar'
import { LifebuoyIcon } from '@phosphor-icons/react'
import { text } from '../../text/en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { appDialog } from '../app-dialog.ts'

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
