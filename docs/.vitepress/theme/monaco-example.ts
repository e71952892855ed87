import { useData, withBase } from 'vitepress';
import { defineComponent, h, onUnmounted, ref, watch } from 'vue';

const FILTER = 'properties["plan"] = "pro"';

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
      const { createMonaco, setMonacoDark } = await import('./monaco-editor.ts');
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
