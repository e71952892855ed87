import { useData, withBase } from 'vitepress';
import { defineComponent, h, onUnmounted, ref, watch } from 'vue';

const FILTER = 'properties["plan"] = "pro"';

/** Loads Monaco, which `scripts/bundle-monaco.ts` bundles: VitePress would take half a minute for it. */
async function loadMonaco(): Promise<typeof import('../monaco/editor.ts')> {
  const style = Object.assign(document.createElement('link'), {
    rel: 'stylesheet',
    href: withBase('/monaco/editor.css'),
  });
  document.head.append(style);
  const path = withBase('/monaco/editor.js');
  return import(/* @vite-ignore */ path);
}

/** Shows a filter in Monaco, which is large: it loads only when somebody asks for it. */
export const MonacoExample = defineComponent({
  setup() {
    const { isDark } = useData();
    const parent = ref<HTMLElement>();
    const isLive = ref(false);
    let remove = () => {};
    let setDark = (_isDark: boolean) => {};

    async function show(): Promise<void> {
      isLive.value = true;
      const { createMonaco, setMonacoDark } = await loadMonaco();
      if (parent.value === undefined || parent.value === null) return;
      remove = createMonaco(parent.value, FILTER, (code) => withBase(`/diagnostics/${code}.html`));
      setDark = setMonacoDark;
      setDark(isDark.value);
    }

    onUnmounted(() => remove());
    watch(isDark, (dark) => setDark(dark));

    return () =>
      h('div', { class: 'monaco-example' }, [
        isLive.value ? undefined : h('button', { type: 'button', onClick: show }, 'Try it in Monaco'),
        h('div', { ref: parent, hidden: !isLive.value }),
      ]);
  },
});
