import { createApp, h, reactive } from 'vue';
import Field from './field.vue';

const state = reactive(globalThis.state);
const update = (change) => Object.assign(state, change);
Object.assign(globalThis, { state, update });

createApp({
  render() {
    const { isShown, committed, ...props } = state;
    if (!isShown) return null;
    return h(Field, {
      ...props,
      onValue: (value) => update({ value }),
      onCommit: (committed) => update({ committed }),
    });
  },
}).mount('#app');
