import { Tabs } from 'radix-ui';
import { type ComponentType, type RefObject, useEffect, useRef } from 'react';

export interface PageTab {
  /** As in the address. */
  name: string;
  label: string;
  Content: ComponentType;
}

interface PageTabsProps {
  /** Names the group for people who cannot see it. */
  label: string;
  tabs: readonly PageTab[];
  /** The one in the address; the first if there is no such tab. */
  current: string | undefined;
  onChange(name: string): void;
}

/** Returns what keeps the current tab of a list in sight: on a narrow screen not all tabs can be seen. */
export function useShownTab(current: string | undefined): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is what moves the list
  useEffect(() => {
    const show = () => {
      const tab = list.current?.querySelector<HTMLElement>('[data-state="active"]');
      if (!list.current || !tab) return;
      // Not by scrollIntoView, which moves the page too.
      const { left, right } = list.current.getBoundingClientRect();
      const at = tab.getBoundingClientRect();
      if (at.right > right) list.current.scrollLeft += at.right - right;
      if (at.left < left) list.current.scrollLeft -= left - at.left;
    };
    show();
    window.addEventListener('resize', show);
    return () => window.removeEventListener('resize', show);
  }, [current]);
  return list;
}

/** The parts of a page, one at a time. Which one is shown belongs in the address. */
export function PageTabs({ label, tabs, current, onChange }: PageTabsProps) {
  const shown = tabs.find(({ name }) => name === current) ?? tabs[0];
  const list = useShownTab(shown?.name);
  if (shown === undefined) return null;
  return (
    <Tabs.Root value={shown.name} onValueChange={onChange}>
      <Tabs.List ref={list} className="tabs" aria-label={label}>
        {tabs.map(({ name, label: text }) => (
          <Tabs.Trigger key={name} value={name} className="tab">
            {text}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ name, Content }) => (
        <Tabs.Content key={name} value={name} className="stack tab-content">
          <Content />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
