import { Sidebar } from '@cloudflare/kumo/components/sidebar'

type MenuIcon = React.ComponentProps<typeof Sidebar.MenuButton>['icon']

/** A link of the navigation. Its name is also the tooltip while the navigation is folded (`NavTips`). */
export function NavItem(props: { to: string; icon: MenuIcon; label: string; current: boolean }) {
  return (
    <Sidebar.MenuItem>
      <Sidebar.MenuButton
        href={props.to}
        icon={props.icon}
        active={props.current}
        data-tip={props.label}
        {...(props.current && { 'aria-current': 'page' as const })}
      >
        {props.label}
      </Sidebar.MenuButton>
    </Sidebar.MenuItem>
  )
}
